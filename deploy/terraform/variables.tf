# Written by `.ci/check-terraform --write` from the parameters of template.yaml; not to be edited by hand.

variable "stack_name" {
  type        = string
  description = "The name of the stack."
  default     = "agent-health"
}

variable "code_bucket" {
  type        = string
  description = "A bucket in the stack's Region for the functions' code and the template."
}

variable "release" {
  type        = string
  description = "The folder of the unpacked release; null where the module is used in it."
  default     = null
}

variable "tags" {
  type        = map(string)
  description = "Tags of the stack, which reach every resource that takes tags."
  default     = {}
}

variable "admin_key_sha256" {
  type        = string
  description = "SHA-256 (64 hexadecimal digits, lower case) of the administrator's API key. The key itself is never stored."
  sensitive   = true
}

variable "fleet_size" {
  type        = string
  description = "The limits of the routes, and the partitions of the index of agents whose health is due. Small serves about 100,000 agents; large a million, in an account whose quotas were raised for it."
  default     = null
}

variable "account_concurrency" {
  type        = string
  description = "Concurrent executions of the account in this Region; 10 is a new account. At most half of them wait for agents in synchronous invocations, and 2 in asynchronous ones: 50 from 500 on, 250 with FleetSize large."
  default     = null
}

variable "pulses_write_units" {
  type        = string
  description = "0 pays for the table of heartbeats by request. Another number provisions it with at least so many write units, scaled by use; an agent that sends a heartbeat every 30 seconds needs a thirtieth. Cheaper for a fleet with an even rate. Above 40000 with FleetSize large, in an account whose quota of a table was raised."
  default     = null
}

variable "deployment_type" {
  type        = string
  description = "How a new version takes over. All but AllAtOnce roll back by themselves when a function fails. AllAtOnce asks no alarm, so it is also the way to deploy the repair of what is failing."
  default     = null
}

variable "alarm_email" {
  type        = string
  description = "The address that gets alarms by e-mail after confirming the subscription. Empty subscribes none; the topic exists in any case."
  default     = null
}

variable "permissions_boundary" {
  type        = string
  description = "The permissions boundary of every role of the stack, where your organisation requires one."
  default     = null
}

variable "kms_key_arn" {
  type        = string
  description = "A customer-managed key of KMS for tables, queues, logs, bus, topic and functions, whose policy admits their services. Empty leaves it at keys that AWS owns, which are free."
  default     = null
}

variable "card_signing" {
  type        = string
  description = "Whether the agent cards that the registry serves are signed. It makes an asymmetric key of KMS for about a dollar a month."
  default     = null
}

variable "domain_name" {
  type        = string
  description = "A host name of your own for the API, or that of the proxy in front of it. Empty leaves it at the one that AWS gives."
  default     = null
}

variable "certificate_arn" {
  type        = string
  description = "The certificate of DomainName, in the stack's Region."
  default     = null
}

variable "hosted_zone_id" {
  type        = string
  description = "The zone that gets the records of DomainName. Empty means that you point the name at the output DomainTarget yourself."
  default     = null
}

variable "heartbeat_function_url" {
  type        = string
  description = "Whether heartbeats may come through a URL of their function, or the address of containers that serve it: both save the price of the API. See docs/operations/limits.md."
  default     = null
}

variable "event_retention_days" {
  type        = string
  description = "Days for which events can be read and published again. An event keeps its end when this changes."
  default     = null
}

variable "audit_retention_days" {
  type        = string
  description = "Days for which the audit log keeps an entry. An entry keeps its end when this changes."
  default     = null
}

variable "heartbeat_stretch_percent" {
  type        = string
  description = "The interval at which agents are asked to send heartbeats, in percent of the one that they declare; at most half of their unhealthy threshold."
  default     = null
}

variable "default_endpoint" {
  type        = string
  description = "Whether the API also answers at the address that AWS gives. It can be disabled where DomainName has a certificate."
  default     = null
}

variable "origin_secret_sha256" {
  type        = string
  description = "SHA-256 of the secret that a proxy in front of the API, such as CloudFront, sends in the header X-Origin-Secret. Requests without it are refused. DomainName is then the proxy's name."
  default     = null
  sensitive   = true
}

variable "retention_days" {
  type        = string
  description = "How long log groups keep their lines and the bus keeps its events for a replay."
  default     = null
}

variable "access_logs" {
  type        = string
  description = "Whether the API writes a line for every request. It costs about a seventh of the request itself."
  default     = null
}

variable "event_tools" {
  type        = string
  description = "Whether subscribers get a log group with the changes of agents. Each stack takes one of the 10 log policies of an account in a Region."
  default     = null
}

locals {
  parameters = {
    AdminKeySha256          = var.admin_key_sha256
    FleetSize               = var.fleet_size
    AccountConcurrency      = var.account_concurrency
    PulsesWriteUnits        = var.pulses_write_units
    DeploymentType          = var.deployment_type
    AlarmEmail              = var.alarm_email
    PermissionsBoundary     = var.permissions_boundary
    KmsKeyArn               = var.kms_key_arn
    CardSigning             = var.card_signing
    DomainName              = var.domain_name
    CertificateArn          = var.certificate_arn
    HostedZoneId            = var.hosted_zone_id
    HeartbeatFunctionUrl    = var.heartbeat_function_url
    EventRetentionDays      = var.event_retention_days
    AuditRetentionDays      = var.audit_retention_days
    HeartbeatStretchPercent = var.heartbeat_stretch_percent
    DefaultEndpoint         = var.default_endpoint
    OriginSecretSha256      = var.origin_secret_sha256
    RetentionDays           = var.retention_days
    AccessLogs              = var.access_logs
    EventTools              = var.event_tools
  }
}
