"""The claims about AWS that were never seen on AWS, and how deploy/try-account tries each. docs/operations/untried.md is made of them."""

import collections
import re
from pathlib import Path

OPERATIONS = Path(__file__).resolve().parent.parent / "docs" / "operations"

# What is done, in this order: the name, the suffix of its stack, the minutes and the commands that its steps need before them. Whatever may break a stack comes after
# what reads it, or has a stack of its own.
PHASES = {
    "deploy": ("", 0, ""),
    "read": ("", 1, "ready"),
    "requests": ("", 0, ""),
    "events": ("", 1, """
watch_bus
aws lambda put-function-concurrency --function-name $(name InvocationWorkerFunction) --reserved-concurrent-executions 0
agent echo ',"provider_id":"try","endpoint":"'$(ping_url try-ping)'"' > /dev/null
call POST /v1/agents/echo/invoke-async '{"message":"try"}'"""),
    "alarms": ("", 0, ""),
    "failed": ("-failed", 3, """
! deploy DeploymentType=AllAtOnce AdminKeySha256=$(admin_hash) PermissionsBoundary=arn:aws:iam::aws:policy/none"""),
    "options": ("", 5, """
deploy DeploymentType=AllAtOnce RetentionDays=7 EventTools=true CardSigning=true HeartbeatFunctionUrl=true \\
  PermissionsBoundary=arn:aws:iam::aws:policy/AdministratorAccess"""),
    "gradual": ("", 4, "deploy DeploymentType=Canary10Percent5Minutes"),
    "worker": ("", 0, ""),
    # A table can be restored to a moment since it was made.
    "restore": ("", 6, """
AGE=$(($(date +%s) - $(date -d "$(aws cloudformation describe-stacks --stack-name $STACK --query 'Stacks[0].CreationTime' --output text)" +%s)))
[ $AGE -gt 1200 ] || sleep $((1200 - AGE))"""),
    "again": ("", 0, ""),
    "key": ("-key", 6, """
KEY_ARN=$(aws kms create-key --description $STACK --tags TagKey=try-account,TagValue=$STACK --policy "$(key_policy)" --query KeyMetadata.Arn --output text)
deploy DeploymentType=AllAtOnce RetentionDays=7 AdminKeySha256=$(admin_hash) KmsKeyArn=$KEY_ARN
ready
watch_bus"""),
    "edge": ("-key", 15, """
aws cloudformation deploy --region us-east-1 --stack-name $STACK-edge --template-file docs/operations/edge.yaml --tags try-account=$STACK \\
  --parameter-overrides ApiDomain=${API#https://} OriginSecret=$SECRET RequestsPerFiveMinutes=1000
deploy DeploymentType=AllAtOnce DomainName=$(edge) OriginSecretSha256=$(printf %s "$SECRET" | openssl dgst -sha256 -r | cut -d ' ' -f 1)"""),
}

Claim = collections.namedtuple("Claim", "number section text phase commands how shows expected minutes")
CLAIMS = []
_section = [""]


def section(title):
    _section[0] = title


def claim(phase, text, commands, shows, expected, how=None, minutes=1):
    """What is claimed, the commands that try it, what they should show, in words and as a pattern of their output, what the document says instead of the commands, and
    how long they usually take."""
    CLAIMS.append(Claim(len(CLAIMS) + 1, _section[0], text, phase, commands.strip(), how, shows, expected, minutes))


def by_hand(text, how, shows, reason):
    CLAIMS.append(Claim(len(CLAIMS) + 1, _section[0], text, None, "", how, shows, reason, 0))


def procedure(document, heading, *parts, without=()):
    """The blocks of commands of a section that contain one of these parts (or all blocks), but for those that contain a part of the others."""
    text = (OPERATIONS / document).read_text()
    body = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)[1]
    blocks = [re.sub(f"^{indent}", "", block, flags=re.MULTILINE) for indent, block in re.findall(r"^( *)```sh\n(.*?)^ *```$", body, re.DOTALL | re.MULTILINE)]
    found = [b for b in blocks if (not parts or any(p in b for p in parts)) and not any(p in b for p in without)]
    if not found:
        raise ValueError(f"{document} has no commands with {parts} below {heading}")
    return "\n".join(found)


section("Deploying")
claim("deploy", "the commands of the README deploy into a fresh account, without a question and without a build",
      "deploy DeploymentType=AllAtOnce RetentionDays=7 AdminKeySha256=$(admin_hash)\nstatus", "`CREATE_COMPLETE`", r"CREATE_COMPLETE\s*\Z",
      how="the commands of the [README](../../README.md#deploy-it)", minutes=5)
claim("read", "API Gateway answers `/ping` itself, so that the API ping of the registry has another path",
      "curl -sS $API/ping; curl -sS $API/api/v1/ping", "`Healthy Connection`, then JSON", r'Healthy Connection\s*\{"status":"ok"')
claim("read", "numbers chosen by a condition arrive as numbers in the stage",
      "aws apigatewayv2 get-stages --api-id $(name HttpApi) --query 'Items[].RouteSettings'",
      "the rates of [Throttles and ceilings](edge.md#throttles-and-ceilings)", r'"ThrottlingRateLimit": 4000')
claim("read", "Java 25 on arm64 starts from snapshots",
      "aws lambda get-function-configuration --function-name $(name HeartbeatFunction) --qualifier live --query SnapStart",
      "`OptimizationStatus` is `On`", '"OptimizationStatus": "On"')
claim("gradual", "publishing all versions at once meets no limit on making snapshots, and an upgrade takes less than ten minutes",
      "change_code\nBEGUN=$SECONDS\ndeploy DeploymentType=Canary10Percent5Minutes\nstatus\necho $((SECONDS - BEGUN)) seconds", "under 10 minutes",
      r"UPDATE_COMPLETE\s+(\d\d?|[1-5]\d\d) seconds", how="`time sam deploy` after a change of code", minutes=9)
claim("gradual", "versions stay when they are replaced",
      "aws lambda list-versions-by-function --function-name $(name HeartbeatFunction) --query 'Versions[].Version'", "both versions",
      r'"\d+",\s+"\d+"', how="`aws lambda list-versions-by-function --function-name $(name HeartbeatFunction) --query 'Versions[].Version'` after two deployments")
claim("options", "a changed parameter publishes a version of the functions that have it, and no other",
      "deploy DeploymentType=AllAtOnce HeartbeatStretchPercent=150\nstatus", "`UPDATE_COMPLETE`, not `A version for this Lambda function exists`", r"UPDATE_COMPLETE\s*\Z",
      how="deploy with `HeartbeatStretchPercent=150`", minutes=3)
claim("read", "the API takes a definition whose routes share an integration for each function",
      "aws apigatewayv2 get-integrations --api-id $(name HttpApi) --query 'length(Items)'", "6", r"\A\s*6\s*\Z")
claim("read", "alarms of an included file are resources of the stack", "name WorkGivenUp", "the name of the alarm", r"WorkGivenUp")
claim("read", "one permission for an API covers all its routes, and the policies stay below half of the limit",
      "curl -sS $API/api/v1/ping; aws lambda get-policy --function-name $(name RegistryFunction) --qualifier live --query 'length(Policy)'",
      '`{"status":"ok"}`, then less than 10,240', r'\{"status":"ok"\}\s*\d{3,4}\s*\Z')
by_hand("a daily call keeps the snapshot of an idle function", "`curl -si $API/.well-known/agent-health` after 15 days without a request", "200 at once", "takes 15 days")
by_hand("containers of [ecs.yaml](../../deploy/ecs.yaml) serve heartbeats of the stack", "[Serving a stack from containers](containers.md)", "`curl -sS https://HOST/ping` prints `Healthy Connection`, and heartbeats there are in the records of the stack", "needs an image in a registry, a network and a certificate of yours")
claim("gradual", "an alarm stops a gradual deployment and rolls it back", """
change_code
deploy DeploymentType=Canary10Percent5Minutes > $STACK.log 2>&1 & DEPLOYMENT=$!
until_seen 400 d- aws deploy list-deployments --include-only-statuses InProgress --query deployments --output text
while kill -0 $DEPLOYMENT 2> /dev/null; do alarm HeartbeatErrors; sleep 10; done
status""", "`UPDATE_ROLLBACK_COMPLETE`", r"UPDATE_ROLLBACK_COMPLETE\s*\Z", minutes=8,
      how="`aws cloudwatch set-alarm-state --alarm-name $(name HeartbeatErrors) --state-value ALARM --state-reason test` during one, repeatedly")
claim("gradual", "new versions are asked before traffic moves", """
change_code
deploy DeploymentType=Canary10Percent5Minutes
status
until_seen 120 401 aws logs filter-log-events --log-group-name $(name VersionCheckLogs) --query 'events[].message'""", "`UPDATE_COMPLETE`, and answers 401 in the log of `VersionCheck`", r"(?s)UPDATE_COMPLETE.*401",
      minutes=8, how="deploy a change of code, then read the log of `VersionCheck`")
claim("gradual", "a version that does not answer gets no traffic, and the deployment is rolled back", """
trap 'aws lambda delete-function-concurrency --function-name $(name GatewayFunction)' EXIT
aws lambda put-function-concurrency --function-name $(name GatewayFunction) --reserved-concurrent-executions 0 > /dev/null
change_code
deploy DeploymentType=Canary10Percent5Minutes > $STACK.log 2>&1 || true
status""", "`UPDATE_ROLLBACK_COMPLETE`", r"UPDATE_ROLLBACK_COMPLETE\s*\Z", minutes=10, how="set the concurrency of `GatewayFunction` to 0, and deploy a change of code")
claim("worker", "after an alias was moved by hand, the next deployment moves it on",
      procedure("recovery.md", "Go back to the version before", "roll-back").replace("deploy/roll-back", '"$(dirname $TRY)"/roll-back') + """
FUNCTION=$(name HeartbeatFunction)
change_code
deploy DeploymentType=AllAtOnce
[ "$(aws lambda list-versions-by-function --function-name $FUNCTION --query 'Versions[-1].Version' --output text)" = \\
  "$(aws lambda get-alias --function-name $FUNCTION --name live --query FunctionVersion --output text)" ] && echo at the new version""",
      "`is at version`, then the alias is at the new version", r"(?s)HeartbeatFunction is at version \d+.*at the new version", minutes=5,
      how="[Go back to the version before](recovery.md#go-back-to-the-version-before), then `sam deploy` with a change of code and `DeploymentType=AllAtOnce`")
claim("options", "every role has the permissions boundary, those of schedules and deployments too",
      "for r in $(aws iam list-roles --query \"Roles[?starts_with(RoleName, '$STACK-')].RoleName\" --output text); do aws iam get-role --role-name $r --query Role.PermissionsBoundary.PermissionsBoundaryArn; done",
      "the boundary, never `null`", r'\A("arn:\S+"\s*)+\Z')
claim("key", "a key of your own reaches everything, and its documented policy suffices", """
agent try-key ',"provider_id":"try","endpoint":"'$(ping_url try-ping)'"' > /dev/null
RECEIPT=$(call POST /v1/agents/try-key/invoke-async '{"message":"try"}' | sed 's/.*"receipt_id":"\\([^"]*\\)".*/\\1/')
until_seen 60 '"finished_at":"' call GET /v1/receipts/$RECEIPT
alarm SweepLate 'try the key'
until_seen 120 'try the key' messages > /dev/null
for l in RegistryLogs SweepLogs GatewayLogs InvocationWorkerLogs PublisherLogs; do
  until_seen 120 '[1-9]' aws logs filter-log-events --log-group-name $(name $l) --max-items 5 --query 'length(events)' > /dev/null
done
until_seen 120 '"source":"agent-health".*try-key' messages > /dev/null
echo a receipt, a message, lines and events""", "events on the bus, a receipt that ends, lines in the log groups, a message of the alarm", "a receipt, a message, lines and events", minutes=4,
      how="deploy with `KmsKeyArn`, register an agent, invoke it asynchronously, set an alarm")
claim("key", "a key that can be used through other services only suffices for every function", """
agent try-via > /dev/null; call POST /api/v1/agents/try-via/heartbeat > /dev/null; admin GET /v1/admin/keys > /dev/null; call GET /api/v1/events > /dev/null
sleep 90
for f in $(functions); do
  GROUP=$(aws lambda get-function-configuration --function-name $f --query LoggingConfig.LogGroup --output text)
  echo $f: $(aws logs filter-log-events --log-group-name $GROUP --filter-pattern '?AccessDenied ?"not authorized"' --max-items 5 --query 'length(events)') refused
done""", "`0 refused` for each", r"\A(\S+: 0 refused\s*)+\Z", minutes=3, how="the log groups of all functions of that stack, searched for `AccessDenied`")
claim("options", "KMS signs cards with the stack's key", """
agent try-card ',"provider_id":"try","endpoint":"https://example.com/a2a"' > /dev/null
curl -sS $API/agents/try-card/.well-known/agent-card.json
if python3 -c 'import a2a' 2> /dev/null; then python3 .ci/counterparts/verify_card.py $API/agents/try-card/.well-known/agent-card.json; fi""", "`verified`",
      r'"signatures":\s*\[\{', how="deploy with `CardSigning=true`, `python3 .ci/counterparts/verify_card.py $URL/agents/ID/.well-known/agent-card.json` with `a2a-sdk[signing]`")
claim("options", "a stack with `EventTools` takes one of 10 log policies of a Region", "aws logs describe-resource-policies --query 'length(resourcePolicies)'", "at most 10", r"\A\s*([1-9]|10)\s*\Z")
claim("read", "equal packages are uploaded once", "aws s3 ls s3://$(bucket)/$STACK/ | grep -vc template", "2, one object for each of the two jars", r"\A\s*2\s*\Z")

section("Requests")
claim("options", "the function URL answers with both permissions, and its payload names no route",
      "curl -si -X POST $(output HeartbeatFunctionAddress)api/v1/agents/unknown/heartbeat", "401 with a problem document, not 403 `Forbidden`", r"(?s)\AHTTP/\S+ 401.*urn:agent-health:problem",
      how="the same request to the output `HeartbeatFunctionAddress` with `HeartbeatFunctionUrl=true`: `curl -si -X POST ${ADDRESS}api/v1/agents/unknown/heartbeat`")
claim("options", "a path through the function URL arrives as it was sent or decoded once, in the same payload as the API's but for the route key", """
agent team:agent > /dev/null
curl -si -X POST $(output HeartbeatFunctionAddress)api/v1/agents/team%3Aagent/heartbeat -H "X-API-Key: $(cat $STACK.key)\"""", "200", r"\AHTTP/\S+ 200",
      how="the same with a key and `agents/team%3Aagent/heartbeat` of an agent `team:agent`")
claim("read", "a new account carries what the table says, at 10 executions", """
aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions
CONFIGURATION=$(admin GET /v1/admin/configuration)
admin PUT /v1/admin/configuration "${CONFIGURATION/\\"sweep_passes_per_minute\\":1,/\\"sweep_passes_per_minute\\":12,}" > /dev/null
sleep 65
AGENT_HEALTH_URL=$API AGENT_HEALTH_ADMIN_KEY=$ADMIN java -jar local/target/agent-health-local.jar fleet --agents 60 --seconds 240 && echo the fleet is as expected
admin PUT /v1/admin/configuration "$CONFIGURATION" > /dev/null""", "10, and the [simulated fleet](../guides/simulated-fleet.md) is as expected", r"(?s)\A\d+.*the fleet is as expected", minutes=7,
      how="`aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions`, then `agent-health fleet` with 12 passes of the sweep a minute")
claim("requests", "Lambda refuses more than ten requests a second for each unit of concurrency", """
[ $(aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions) -le 15 ] || not_here the concurrency of this account is not that of a new one
load 2000 500 GET /api/v1/ping
until_seen 300 '[1-9]' total AWS/Lambda Throttles FunctionName=$(name RegistryFunction) 10""", "some 503, and `Throttles` above 0", r"(?s)503: \d+.*\n[1-9]", minutes=3,
      how="2,000 requests of `$API/api/v1/ping`, 500 a second, at a concurrency of 10")
claim("requests", "the throttle of a route answers 429 before the function runs", """
load 6000 300 POST /api/v1/heartbeats '{"heartbeats":[{"agent_id":"unknown"}]}'
until_seen 300 '[1-9]' total AWS/Lambda Invocations FunctionName=$(name HeartbeatFunction) 5""", "429, and fewer `Invocations` than requests", r"429: \d+", minutes=3,
      how="6,000 batches, 300 a second, to `$API/api/v1/heartbeats`")
claim("requests", "the access log counts what the throttle of an agents' route refused, by route", """
load 6000 300 POST /api/v1/heartbeats '{"heartbeats":[{"agent_id":"unknown"}]}'
until_seen 420 '[1-9]' total AgentHealth/$STACK Refused 'Route=POST /api/v1/heartbeats' 10""", "429, and `Refused` above 0", r"(?s)429: \d+.*\n[1-9]", minutes=3,
      how="6,000 batches, 300 a second, then the sum of the metric `Refused` in the namespace `AgentHealth/$STACK`")
claim("requests", "when agents are throttled for more than a minute, the self-check fails", """
aws apigatewayv2 get-stages --api-id $(name HttpApi) --query 'Items[0].RouteSettings' > routes.json
STAGE=$(aws apigatewayv2 get-stages --api-id $(name HttpApi) --query 'Items[0].StageName' --output text)
python3 $TRY --lower-route 'POST /api/v1/agents/{agent_id}/heartbeat' routes.json > lowered.json
trap 'aws apigatewayv2 update-stage --api-id $(name HttpApi) --stage-name "$STAGE" --route-settings file://routes.json > /dev/null' EXIT
aws apigatewayv2 update-stage --api-id $(name HttpApi) --stage-name "$STAGE" --route-settings file://lowered.json > /dev/null
agent try-throttled > /dev/null
load 12000 40 POST /api/v1/agents/try-throttled/heartbeat > $STACK.log & LOAD=$!
until_seen 290 ALARM alarm_state SelfCheckFailing
call GET '/api/v1/agents?status=dead' | grep -c try-throttled || true
kill $LOAD""", "`SelfCheckFailing` is active, and no agent is dead", r"ALARM\s+0\s*\Z", minutes=8,
      how="heartbeats for five minutes above the rate of their route, which is lowered to 2 a second for that")
by_hand("`DefaultEndpoint=disabled` closes the address of AWS", "`curl -sS -o /dev/null -w '%{http_code}' $API/api/v1/ping`", "404", "needs a host name and a certificate of yours")
claim("edge", "CloudFront replaces a secret that a caller sends", "curl -si -H 'X-Origin-Secret: x' https://$(edge)/api/v1/ping", "200", r"\AHTTP/\S+ 200", how="`curl -si -H 'X-Origin-Secret: x' https://$EDGE/api/v1/ping`")
claim("edge", "the self-check, which comes from an address of Lambda, passes WAF", """
API=https://$(edge)
agent try-silent > /dev/null; call POST /api/v1/agents/try-silent/heartbeat > /dev/null
until_seen 300 '"status":"dead"' call GET /api/v1/agents/try-silent > /dev/null && echo dead
alarm_state SelfCheckFailing""", "it is marked as dead, and `SelfCheckFailing` is not active", r"dead\s+(OK|INSUFFICIENT_DATA)", minutes=4, how="stop the heartbeats of an agent of a stack behind CloudFront")
claim("edge", "a changed secret passes without an interruption", """
NEW=$(openssl rand -hex 32)
aws cloudformation deploy --region us-east-1 --stack-name $STACK-edge --template-file docs/operations/edge.yaml --parameter-overrides OriginSecret=$SECRET,$NEW
deploy DeploymentType=AllAtOnce OriginSecretSha256=$(printf %s "$NEW" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
curl -si https://$(edge)/api/v1/ping""", "200", r"HTTP/\S+ 200", minutes=9, how="the first two steps of [changing the secret](edge.md#cloudfront-with-waf)")
claim("edge", "WAF blocks an address above its limit", "API=https://$(edge)\nload 6000 50 GET /api/v1/ping", "429", r"429: \d+", minutes=3,
      how="6,000 requests in two minutes to `https://$EDGE/api/v1/ping`, with `RequestsPerFiveMinutes=1000`")
by_hand("mapped hosts work through CloudFront", "`curl -sS https://HOST/.well-known/agent.json` with a mapped host among the distribution's aliases", "the agent's card", "needs a host name of yours")
claim("options", "an authorizer guards only the routes that name it",
      procedure("edge.md", "Authorizers", "api-guarded").replace("Company", "AWS_IAM") + """
sed -e '/^  HttpApi:/,/^    Properties:/s/^    Properties:/&\\n      Auth: { EnableIamAuthorizer: true }/' -e 's|Location: deploy/api.yaml|Location: api-guarded.yaml|' \\
  template.yaml > template-guarded.yaml
sam deploy -t template-guarded.yaml --stack-name $STACK --no-confirm-changeset --parameter-overrides DeploymentType=AllAtOnce
curl -sS -o /dev/null -w '%{http_code}\\n' $API/v1/admin/keys -H "X-API-Key: $ADMIN"
agent try-guarded > /dev/null
curl -sS -o /dev/null -w '%{http_code}\\n' -X POST $API/api/v1/agents/try-guarded/heartbeat -H "X-API-Key: $(cat $STACK.key)"
deploy DeploymentType=AllAtOnce > /dev/null""", "401 or 403; heartbeats still 200", r"40[13]\s+200", minutes=6,
      how="`curl -sS -o /dev/null -w '%{http_code}' $API/v1/admin/keys -H \"X-API-Key: $ADMIN\"` after [Authorizers](edge.md#authorizers), with `AWS_IAM`")

section("Tables")
claim("read", "without a key of your own, tables are encrypted with one of AWS, free of charge",
      "aws dynamodb describe-table --table-name $(name PulsesTable) --query Table.SSEDescription", "`null`", r"\A\s*null\s*\Z")
claim("read", "on-demand tables have ceilings", "aws dynamodb describe-table --table-name $(name RegistryTable) --query Table.OnDemandThroughput",
      "the numbers of [Throttles and ceilings](edge.md#throttles-and-ceilings)", '"MaxWriteRequestUnits": 10000')
claim("read", "warm writes above the ceiling are accepted", """
aws dynamodb create-table --table-name $STACK-warm --attribute-definitions AttributeName=id,AttributeType=S --key-schema AttributeName=id,KeyType=HASH \\
  --billing-mode PAY_PER_REQUEST --on-demand-throughput MaxWriteRequestUnits=1000 --warm-throughput ReadUnitsPerSecond=12000,WriteUnitsPerSecond=4000 > /dev/null
aws dynamodb wait table-exists --table-name $STACK-warm
aws dynamodb describe-table --table-name $STACK-warm --query 'Table.[OnDemandThroughput, WarmThroughput]'""", "both numbers", r"(?s)1000.*4000",
      how="a table with a ceiling of 1,000 that is warmed for 4,000, which costs nothing")
claim("options", "a table and its indexes are warmed by one command", """
UNITS=ReadUnitsPerSecond=12000,WriteUnitsPerSecond=4100
aws dynamodb update-table --table-name $(name RegistryTable) --warm-throughput $UNITS \\
  --global-secondary-index-updates "Update={IndexName=feed,WarmThroughput={$UNITS}}" "Update={IndexName=due,WarmThroughput={$UNITS}}" > /dev/null
until_seen 900 '4100.*4100' aws dynamodb describe-table --table-name $(name RegistryTable) --query 'Table.GlobalSecondaryIndexes[].WarmThroughput.WriteUnitsPerSecond' --output text""",
      "4100 for each index", r"4100\s+4100", minutes=5, how="[Warming tables](limits.md#warming-tables) with 4,100 writes")
claim("requests", "one collection of items takes about 1,000 write units a second, half of that in transactions", """
load 10000 150 POST /api/v1/agents '{"agent_id":"try-{n}","role_id":"try","heartbeat_config":{"mode":"none"}}'
sleep 120
echo throttled: $(total AWS/DynamoDB WriteThrottleEvents TableName=$(name RegistryTable) 10)""", "none at the rate of [Limits](limits.md)", r"throttled: (0(\.0)?|null)?\s*\Z", minutes=4,
      how="register 10,000 agents with one key, and look at `WriteThrottleEvents`")
claim("requests", "a transaction is charged at most as the cost sheet counts", """
agent try-leases > /dev/null
load 100 5 POST /api/v1/intents/try-{n}/leases '{"agent_id":"try-leases","scope":"try","duration_seconds":600}'
sleep 180
echo units: $(aws cloudwatch get-metric-statistics --namespace AWS/DynamoDB --metric-name ConsumedWriteCapacityUnits --dimensions Name=TableName,Value=$(name RegistryTable) \\
  --statistics Sum --period 300 --start-time $(date -u -d '5 minutes ago' +%FT%TZ) --end-time $(date -u +%FT%TZ) --query 'sum(Datapoints[].Sum)')""",
      "not above 1,200 and what sweep and measurement write", r"units: ([1-9]\d\d|1[0-3]\d\d)(\.\d+)?\s*\Z", minutes=5, how="`ConsumedWriteCapacityUnits` of the registry table for 100 leases")
claim("options", "changing `PulsesWriteUnits` from and to 0 keeps the table", """
BEFORE=$(name PulsesTable)
deploy DeploymentType=AllAtOnce PulsesWriteUnits=100
deploy DeploymentType=AllAtOnce PulsesWriteUnits=0
[ $(name PulsesTable) = $BEFORE ] && echo the same table""", "the same table name", "the same table", minutes=8, how="two deployments")

by_hand("a version that was not called for 14 days is `Inactive`, and `deploy/roll-back` wakes it", "`deploy/roll-back` to a version of three weeks ago", "`is at version`", "takes 14 days")
by_hand("`deploy/deploying-policy.json` suffices to deploy, update and remove a stack", "[The role that deploys](deploying.md#the-role-that-deploys), with a role that has nothing else",
        "`CREATE_COMPLETE`, `UPDATE_COMPLETE`, no stack", "needs a role that an administrator makes")
claim("read", "a deployment of new code adds 0.3 GB to Lambda's storage of code", "aws lambda get-account-settings --query AccountUsage.TotalCodeSize", "at least 290,000,000 bytes, in an empty account less than a billion",
      r"\b(2[6-9]\d{7}|[3-9]\d{8}|[1-9]\d{9,})\b")
by_hand("a firewall on the load balancer of ecs.yaml keeps a flood from heartbeats, while the API's own address stays open", "[What keeps a flood away](edge.md#what-keeps-a-flood-away), then 10,000 requests a second to `$API/api/v1/ping`",
        "429 and 403 there, and no agent `unhealthy`", "needs containers, a certificate and a source of load")
by_hand("an owner moves to another cell by its host name, and the bus of all cells has the events of both", "[Move an owner](cells.md#move-an-owner) and [One view of all events](cells.md#one-view-of-all-events)",
        "the agents register in the new cell; `changes by cell` has two accounts", "needs two accounts and a domain")

section("Events and asynchronous work")
by_hand("the publisher gives up after 100 attempts or 23 hours, whichever comes first, and leaves a message", "deny `events:PutEvents` to its role for a day",
        "a message in `PublisherDeadLetters`; `EventsUnpublished` is active", "takes a day")
claim("worker", "a replay sends events of the archive again", """
aws events start-replay --replay-name $STACK-$(date +%s) --event-source-arn $(output EventArchiveArn) --destination Arn=$(output EventBusArn) \\
  --event-start-time $(date -u -d '3 hours ago' +%FT%TZ) --event-end-time $(date -u +%FT%TZ) --query State
until_seen 600 replay-name messages > /dev/null && echo replayed""", "events at the subscriber", "replayed", minutes=5,
      how="`aws events start-replay` with the outputs `EventArchiveArn` and `EventBusArn`")
claim("options", "a rule delivers to a log group", """
agent try-log > /dev/null
until_seen 180 try-log aws logs filter-log-events --log-group-name $(name LifecycleEventsLogs) --filter-pattern '"try-log"' --query 'events[].message'""", "a line in the group", "try-log",
      how="deploy with `EventTools=true`, register an agent")
claim("events", "a schedule that could not start its function is not repeated", """
trap 'aws lambda delete-function-concurrency --function-name $(name SweepFunction)' EXIT
aws lambda put-function-concurrency --function-name $(name SweepFunction) --reserved-concurrent-executions 0 > /dev/null
until_seen 480 ALARM alarm_state SweepLate
aws lambda delete-function-concurrency --function-name $(name SweepFunction)
until_seen 300 OK alarm_state SweepLate
until_seen 120 '"AlarmName":"[^"]*SweepLate[^"]*".*"NewStateValue":"ALARM"' messages > /dev/null && echo notified""", "`SweepLate`, a message of it, and its end", r"(?s)ALARM.*OK.*notified", minutes=9,
      how="set the concurrency of `SweepFunction` to 0 for some minutes")
claim("worker", "a worker that fails three times moves the message on", """
trap 'aws lambda delete-function-concurrency --function-name $(name InvocationWorkerFunction)' EXIT
until_seen 1800 '[1-9]' aws sqs get-queue-attributes --queue-url $(output InvocationDeadLettersUrl) --attribute-names ApproximateNumberOfMessages --query Attributes.ApproximateNumberOfMessages --output text
until_seen 120 '"AlarmName":"[^"]*InvocationsLate' messages > /dev/null && echo notified""", "`InvocationsLate`, then a message in `InvocationDeadLetters`", r"(?s)[1-9].*notified", minutes=2,
      how="set the concurrency of `InvocationWorkerFunction` to 0 for half an hour")
for phase, which in (("events", ""), ("key", ", also with a key of your own")):
    claim(phase, f"events reach the queue of notifications{which}", "notified", "a delivery within minutes", r'"last_delivery":', minutes=4,
          how="write a rule with a webhook to the ping address of another agent, let an agent die")
by_hand("an address that confirmed its subscription gets its own messages only", "two rules with two addresses", "one e-mail each", "needs two mailboxes")
claim("read", "the sweep starts `NotificationFunction` once a minute", """
until_seen 240 '^([3-9]|1[0-9])$' aws logs filter-log-events --log-group-name $(name NotificationLogs) --start-time $(date -d '4 minutes ago' +%s000) \\
  --filter-pattern '?REPORT ?"platform.report"' --query 'length(events)'""", "a line `REPORT` a minute", r"\A\d+\s*\Z", how="its log, with no rule written", minutes=4)

section("Alarms and costs")
claim("alarms", "`MAX` over metrics of which one has no data takes the others",
      "aws cloudwatch describe-alarms --alarm-names $(name DetectionLate) $(name OutboxLate) --query 'MetricAlarms[].StateValue'", "`OK`, not `INSUFFICIENT_DATA`", r'\A\s*\[\s*"OK",\s*"OK"\s*\]')
claim("alarms", "CloudWatch may publish to the topic", "alarm SweepLate 'may publish'\nuntil_seen 120 'may publish' messages > /dev/null && echo received",
      "a message in a queue that is subscribed to it, or an e-mail", "received", how="`aws cloudwatch set-alarm-state --alarm-name $(name SweepLate) --state-value ALARM --state-reason test`")
claim("gradual", "a composite alarm is active when both of its parts are, and sends the only message", """
both() { alarm ErrorsOfSixHours 'one part'; alarm ErrorsOfHalfAnHour 'other part'; sleep 3; alarm_state ErrorBudgetBurning; }
until_seen 120 ALARM both
until_seen 120 '"AlarmName":"[^"]*ErrorBudgetBurning' messages > /dev/null && echo one message
grep -c '"NewStateReason":"\\(one\\|other\\) part"' $STACK.messages || true""", "`ALARM`, one message, and none of the parts", r"ALARM\s+one message\s+0\s*\Z", minutes=2,
      how="`aws cloudwatch set-alarm-state` for `ErrorsOfSixHours` and `ErrorsOfHalfAnHour`, with `DeploymentType` gradual")
claim("gradual", "what a ceiling of a table refuses counts as throttled", """
TABLE=$(name PulsesTable)
agent try-ceiling > /dev/null
trap 'aws dynamodb update-table --table-name $TABLE --on-demand-throughput MaxReadRequestUnits=10000,MaxWriteRequestUnits=10000 > /dev/null' EXIT
aws dynamodb update-table --table-name $TABLE --on-demand-throughput MaxReadRequestUnits=10000,MaxWriteRequestUnits=1 > /dev/null
aws dynamodb wait table-exists --table-name $TABLE
load 9600 20 POST /api/v1/agents/try-ceiling/heartbeat
until_seen 240 ALARM alarm_state TablesThrottled""", "`TablesThrottled` is active", r"ALARM\s*\Z", minutes=10, how="lower the ceiling of `PulsesTable` to 1, and send heartbeats for eight minutes")
claim("gradual", "what Lambda refuses counts as throttled", """
trap 'aws lambda delete-function-concurrency --function-name $(name HealthFunction)' EXIT
aws lambda put-function-concurrency --function-name $(name HealthFunction) --reserved-concurrent-executions 0 > /dev/null
load 600 2 GET /.well-known/agent-health
until_seen 180 ALARM alarm_state RequestsThrottled""", "`RequestsThrottled` is active", r"ALARM\s*\Z", minutes=7, how="set the concurrency of `HealthFunction` to 0, and ask for its document for five minutes")
claim("gradual", "a percentile in an expression has data where there are requests", """
agent try-slow > /dev/null
load 1800 10 POST /api/v1/agents/try-slow/heartbeat
until_seen 120 OK alarm_state HeartbeatsSlow""", "`OK`, not `INSUFFICIENT_DATA`", r"OK\s*\Z", minutes=5, how="600 heartbeats a minute for three minutes, then the state of `HeartbeatsSlow`")
by_hand("alarms are billed by metric, custom metrics by the hours in which they occur, and X-Ray records one run a second and one in twenty of the others",
        "`aws ce get-cost-and-usage --time-period Start=2026-12-01,End=2027-01-01 --granularity MONTHLY --metrics UnblendedCost --group-by Type=DIMENSION,Key=USAGE_TYPE`",
        "the lines of the [cost sheet](../cost.md)", "needs a bill of a month")
claim("alarms", "a heartbeat takes 10 ms of its function",
      "aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name Duration --dimensions Name=FunctionName,Value=$(name HeartbeatFunction) --statistics Average --period 10800 --start-time $(date -u -d '3 hours ago' +%FT%TZ) --end-time $(date -u +%FT%TZ)",
      "about 10", r'"Average": ([5-9]|1\d)\.')
by_hand("a key of KMS is asked for once in five minutes for each role and table", "the number of `Decrypt` events in CloudTrail of a day", "about the sheet's `kms_requests`", "takes a day")

section("Failures")
claim("failed", "a failed first creation leaves two empty tables and no key", """
status
for k in $(aws resourcegroupstaggingapi get-resources --resource-type-filters kms:key --tag-filters Key=aws:cloudformation:stack-name,Values=$STACK \\
    --query 'ResourceTagMappingList[].ResourceARN' --output text); do aws kms describe-key --key-id $k --query KeyMetadata.KeyState --output text; done
""" + procedure("recovery.md", "The first deployment failed") + """
until_seen 120 '^0$' aws dynamodb list-tables --query "length(TableNames[?starts_with(@, '$STACK-')])" --output text""", "`ROLLBACK_COMPLETE`, keys `PendingDeletion`; after the procedure, no stack and no table",
      r"\A\s*ROLLBACK_COMPLETE\s(?!(?s:.*)\bEnabled\b)(?s:.*)\n0\s*\Z", minutes=3,
      how="deploy with `PermissionsBoundary=arn:aws:iam::aws:policy/none`, then [The first deployment failed](recovery.md#the-first-deployment-failed)")
claim("restore", "a restored table has its indexes and neither stream nor expiry",
      procedure("recovery.md", "Restoring a table", "concurrency.txt", "restore-table-to-point-in-time", without=("restored.yaml",))
      .replace("T=2026-02-08T10:00:00Z", "T=$(date -u -d '7 minutes ago' +%FT%TZ)").replace("table-exists --table-name $t; done", "table-exists --table-name $t || true; done") + """
until_seen 1500 ACTIVE aws dynamodb describe-table --table-name $STACK-pulses-2 --query Table.TableStatus
until_seen 1500 ACTIVE aws dynamodb describe-table --table-name $STACK-registry-2 --query Table.TableStatus
aws dynamodb describe-table --table-name $STACK-registry-2 --query 'Table.[length(GlobalSecondaryIndexes), StreamSpecification]' --output text
aws dynamodb describe-time-to-live --table-name $STACK-registry-2 --query TimeToLiveDescription.TimeToLiveStatus""", "the number of indexes, no `StreamSpecification`, `DISABLED`", r'\n[1-9]\s+None\s+"DISABLED"\s*\Z',
      minutes=15, how="`aws dynamodb describe-table` before step 3 of [Restoring a table](recovery.md#restoring-a-table)")
by_hand("backups of both tables are copied into a locked vault of another account and Region, and restored there",
        "[Copies in another account or Region](recovery.md#copies-in-another-account-or-region), two days later [Restoring in another account or Region](recovery.md#restoring-in-another-account-or-region)",
        "`COMPLETED` for four recovery points, of which those of the pulses are the later ones; the restored registry answers with its former keys", "needs two accounts of an organisation and two days")
claim("restore", "restored tables can be imported into the stack",
      procedure("recovery.md", "Restoring a table", "update-time-to-live", "restored.yaml", "import.json") + """
DRIFT=$(aws cloudformation detect-stack-drift --stack-name $STACK --query StackDriftDetectionId --output text)
until_seen 300 DETECTION_COMPLETE aws cloudformation describe-stack-drift-detection-status --stack-drift-detection-id $DRIFT --query DetectionStatus > /dev/null
for t in PulsesTable RegistryTable; do aws cloudformation describe-stack-resource-drifts --stack-name $STACK \\
  --query "StackResourceDrifts[?LogicalResourceId=='$t'].[LogicalResourceId, StackResourceDriftStatus, PropertyDifferences]"; done
status""", "`IMPORT_COMPLETE`, then `UPDATE_COMPLETE`; differences are what step 3 missed", r"UPDATE_COMPLETE\s*\Z", minutes=15,
      how="steps 3 to 7 of [Restoring a table](recovery.md#restoring-a-table)")
claim("again", "the tables of a removed stack carry the next one", """
agent try-kept > /dev/null
admin PUT /v1/admin/notifications/kept '{"events":["agent.lifecycle"],"target":{"type":"webhook","url":"https://example.com/"}}' > /dev/null
BEFORE=$(aws dynamodb describe-table --table-name $(name RegistryTable) --query Table.LatestStreamArn --output text)
""" + procedure("recovery.md", "Removing the stack", "sam delete") + """
(umask 077; echo "BEFORE=$BEFORE PULSES=$PULSES REGISTRY=$REGISTRY SECRETS=$SECRETS" > kept.sh)
""" + procedure("recovery.md", "Creating the stack again on its tables") + """
API=$(output ApiUrl)
call GET /api/v1/agents/try-kept; call GET /api/v1/agents/try-kept/events""", "agents, keys and events are there", r'(?s)"agent_id":"try-kept".*"events":\[\{', minutes=10,
      how="[Creating the stack again on its tables](recovery.md#creating-the-stack-again-on-its-tables)")
claim("again", "secrets of the removed stack are readable with its key", "admin POST /v1/admin/notifications/kept/test", "the answer of `example.com`", r"answered with the HTTP status|delivered\": ?true",
      how="write a rule with a webhook before the stack is removed, and test the rule afterwards")
claim("again", "KMS denies a secret whose key the role may not use, and the rule says so", """
. ./kept.sh
sam deploy -t restored.yaml --stack-name $STACK --no-confirm-changeset --parameter-overrides 'RestoredSecretsKeyArn=""'
admin POST /v1/admin/notifications/kept/test
sam deploy -t restored.yaml --stack-name $STACK --no-confirm-changeset --parameter-overrides \\
  RestoredSecretsKeyArn=$(aws kms describe-key --key-id $SECRETS --query KeyMetadata.Arn --output text)""", "`the target cannot be decrypted: write the rule again`", "write the rule again", minutes=8,
      how="deploy without `RestoredSecretsKeyArn`, and test the rule")
claim("again", "the key of the secrets can be imported with the tables", ". ./kept.sh\n" + procedure("recovery.md", "Restoring a table", "import.json") + """
name SecretsKey
admin POST /v1/admin/notifications/kept/test""", "the id of the key, and the answer of `example.com`", r"(?s)[0-9a-f-]{36}.*(answered with the HTTP status|delivered\": ?true)", minutes=8,
      how="step 7 of [Restoring a table](recovery.md#restoring-a-table)")
claim("again", "the stream of a table outlives its stack", """
. ./kept.sh
[ "$(aws dynamodb describe-table --table-name $REGISTRY --query Table.LatestStreamArn --output text)" = $BEFORE ] && echo the same stream""", "the same `LatestStreamArn`", "the same stream",
      how="`aws dynamodb describe-table` before and after `sam delete`")
claim("again", "the key of the secrets outlives its stack", ". ./kept.sh\naws kms describe-key --key-id $SECRETS --query KeyMetadata.KeyState", "`Enabled`", "Enabled",
      how="`aws kms describe-key` after `sam delete`")
