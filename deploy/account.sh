# Functions for the steps of deploy/try-account. name and functions come from docs/operations/recovery.md.
# shellcheck shell=bash disable=SC2086,SC2046
set -euo pipefail
output() { aws cloudformation describe-stacks --stack-name $STACK --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text; }
edge() { aws cloudformation describe-stacks --region us-east-1 --stack-name $STACK-edge --query "Stacks[0].Outputs[?OutputKey=='Name'].OutputValue" --output text; }
status() { aws cloudformation describe-stacks --stack-name $STACK --query 'Stacks[0].StackStatus' --output text; }
admin_hash() { printf %s "$ADMIN" | openssl dgst -sha256 -r | cut -d ' ' -f 1; }
deploy() { sam deploy --stack-name $STACK --no-confirm-changeset --no-fail-on-empty-changeset --parameter-overrides "$@"; }
bucket() { aws cloudformation describe-stacks --stack-name aws-sam-cli-managed-default --query "Stacks[0].Outputs[?OutputKey=='SourceBucket'].OutputValue" --output text; }
change_code() { python3 $TRY --change-code functions/target/agent-health-functions-lambda.jar functions/target/agent-health-functions-heartbeat.jar; }
key_policy() { python3 $TRY --key-policy; }
call() { curl -sS -m 40 -X $1 "$API$2" -H "X-API-Key: ${CALLER:-$(cat $STACK.key)}" ${3:+-d "$3"}; }
admin() { CALLER=$ADMIN call "$@"; }
agent() { call POST /api/v1/agents '{"replace":true,"agent_id":"'$1'","role_id":"try","capabilities":["try"],"heartbeat_config":{"interval_seconds":10,"unhealthy_after_seconds":20,"dead_after_seconds":40}'"${2:-}"'}'; }
ping_url() { agent $1 > /dev/null; call POST /api/v1/agents/$1/ping-url | sed 's/.*"ping_url":"\([^"]*\)".*/\1/'; }
load() { python3 $TRY --load "$1" "$2" "$3" "$API$4" "$(cat $STACK.key)" "${5:-}"; }
until_seen() {
  local end=$((SECONDS + $1)) pattern=$2 seen; shift 2
  while seen=$("$@" 2>&1) || true; ! grep -Eq "$pattern" <<< "$seen"; do
    if [ $SECONDS -ge $end ]; then echo "not seen: $pattern, but $seen"; return 1; fi
    sleep 5
  done
  grep -E "$pattern" <<< "$seen"
}
total() { # NAMESPACE METRIC DIMENSION=VALUE MINUTES
  aws cloudwatch get-metric-statistics --namespace $1 --metric-name $2 --dimensions "Name=${3%%=*},Value=${3#*=}" --statistics Sum --period $(($4 * 60)) \
    --start-time $(date -u -d "$4 minutes ago" +%FT%TZ) --end-time $(date -u +%FT%TZ) --query 'sum(Datapoints[].Sum)'
}
alarm() { aws cloudwatch set-alarm-state --alarm-name $(name $1) --state-value ALARM --state-reason "${2:-test}"; }
alarm_state() { aws cloudwatch describe-alarms --alarm-types MetricAlarm CompositeAlarm --alarm-names $(name $1) --query '[MetricAlarms, CompositeAlarms][].StateValue' --output text; }
queue() { aws sqs get-queue-url --queue-name $STACK-seen --query QueueUrl --output text; }
queue_arn() { aws sqs get-queue-attributes --queue-url $(queue) --attribute-names QueueArn --query Attributes.QueueArn --output text; }
messages() { # all that the queue of this try received so far
  aws sqs receive-message --queue-url $(queue) --max-number-of-messages 10 --wait-time-seconds 2 --query 'Messages[].Body' --output text >> $STACK.messages
  cat $STACK.messages
}
ready() { # a key for agents, and a queue for alarms and events
  API=$(output ApiUrl)
  grep -qs ahk_ $STACK.key || (umask 077; admin POST /v1/admin/keys '{"role":"agent","name":"try","provider_ids":["try"]}' | sed 's/.*"api_key":"\([^"]*\)".*/\1/' > $STACK.key)
  grep -q ^ahk_ $STACK.key
  aws sqs create-queue --queue-name $STACK-seen --attributes "$(python3 $TRY --queue-attributes)" > /dev/null
  aws sns subscribe --topic-arn $(output AlarmTopicArn) --protocol sqs --notification-endpoint $(queue_arn) --attributes RawMessageDelivery=true > /dev/null
}
watch_bus() { # has the queue get all events
  aws events put-rule --name try-account-seen --event-bus-name $(output EventBusName) --event-pattern '{"source":["agent-health"]}' > /dev/null
  aws events put-targets --rule try-account-seen --event-bus-name $(output EventBusName) --targets Id=seen,Arn=$(queue_arn) > /dev/null
}
notified() { # a rule of notifications delivers that an agent died
  admin DELETE /v1/admin/notifications/try > /dev/null
  admin PUT /v1/admin/notifications/try '{"events":["agent.lifecycle"],"target":{"type":"webhook","url":"'$(ping_url try-receiver)'"}}' > /dev/null
  agent try-dying > /dev/null; call POST /api/v1/agents/try-dying/heartbeat > /dev/null
  until_seen 360 '"last_delivery":"' admin GET /v1/admin/notifications/try
}
not_here() { echo "not here: $*"; exit 0; }
