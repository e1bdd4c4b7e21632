#!/bin/sh
# Chromium as a screen on the wall: one page, no bars, no questions, nothing kept. Used in cage and in an X session alike.
set -eu
page=${TRICKWATCH_PAGE:-http://localhost:8000/table}
profile=$(mktemp -d "${TMPDIR:-/tmp}/trickwatch-screen.XXXXXX")
trap 'rm -rf "$profile"' EXIT INT TERM
for browser in chromium chromium-browser google-chrome; do
    if command -v "$browser" >/dev/null 2>&1; then
        # Not exec: the profile is removed afterwards.
        "$browser" --kiosk --user-data-dir="$profile" --ozone-platform-hint=auto --noerrdialogs --disable-infobars \
            --disable-session-crashed-bubble --disable-translate --disable-pinch --overscroll-history-navigation=0 --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync --password-store=basic \
            --check-for-update-interval=31536000 --autoplay-policy=no-user-gesture-required "$page"
        exit $?
    fi
done
echo "没有找到 Chromium / no Chromium found: apt-get install chromium" >&2
exit 1
