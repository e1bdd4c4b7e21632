#!/bin/sh
# Install the table as a service of this machine: sudo deploy/install.sh [--screen]
# What it does: a user `trickwatch`, the program in /opt/trickwatch, the environment of Python made once, units of systemd. Run again to update.
set -eu
if [ "$(id -u)" -ne 0 ]; then
    echo "请用 sudo 运行 / run with sudo" >&2
    exit 1
fi
here=$(cd "$(dirname "$0")/.." && pwd)
screen=no
[ "${1:-}" = --screen ] && screen=yes

id trickwatch >/dev/null 2>&1 || useradd --system --home-dir /var/lib/trickwatch --create-home --shell /usr/sbin/nologin trickwatch
for group in video audio render input; do
    getent group "$group" >/dev/null && usermod -a -G "$group" trickwatch
done

if [ "$here" != /opt/trickwatch ]; then
    mkdir -p /opt/trickwatch
    tar -C "$here" --exclude=.git --exclude=__pycache__ -cf - . | tar -C /opt/trickwatch -xf -
fi
mkdir -p /var/cache/trickwatch
chown trickwatch:trickwatch /var/cache/trickwatch
# The first start makes the virtual environment (some minutes, needs the network once); the service itself needs none.
su -s /bin/sh trickwatch -c 'HOME=/var/lib/trickwatch XDG_CACHE_HOME=/var/cache /opt/trickwatch/trickwatch rules list >/dev/null'

[ -e /etc/trickwatch.conf ] || cp /opt/trickwatch/deploy/trickwatch.conf /etc/trickwatch.conf
cp /opt/trickwatch/deploy/trickwatch.service /etc/systemd/system/
if [ "$screen" = yes ]; then
    command -v cage >/dev/null 2>&1 || { echo "缺少 cage / cage is missing: apt-get install cage chromium" >&2; exit 1; }
    cp /opt/trickwatch/deploy/trickwatch-screen.service /etc/systemd/system/
fi
systemctl daemon-reload
systemctl enable --now trickwatch.service
[ "$screen" = yes ] && systemctl enable --now trickwatch-screen.service
systemctl --no-pager status trickwatch.service || true
