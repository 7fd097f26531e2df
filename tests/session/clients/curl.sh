# two calls of curl, as a server in shell would make them
one=$(curl -sS --fail -w ' %{http_code}' "$1/json?x=1") || exit 1
two=$(curl -sS --fail -w ' %{http_code}' -H 'Content-Type: application/json' -d '{"a": 1}' "$1/mirror") || exit 1
printf '%s|%s\n' "$one" "$two"
