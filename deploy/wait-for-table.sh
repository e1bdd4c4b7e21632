#!/bin/sh
# Wait until the table's pages can be had, for at most two minutes; the page itself waits from then on.
page=${TRICKWATCH_PAGE:-http://localhost:8000/table}
tries=0
while [ "$tries" -lt 120 ]; do
    if python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=2)' "$page" 2>/dev/null; then
        exit 0
    fi
    tries=$((tries + 1))
    sleep 1
done
echo "$page 没有应答 / does not answer" >&2
exit 1
