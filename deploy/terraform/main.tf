# The stack of template.yaml, from an unpacked release: docs/operations/deploying.md, "With Terraform". CloudFormation makes and keeps it, as after `sam deploy`.

terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

locals {
  files    = var.release != null ? var.release : "${path.module}/../.."
  template = file("${local.files}/template.yaml")
  # The functions' code, under a name that changes with it: a changed address is what makes CloudFormation publish a version.
  code = { for path in distinct(flatten(regexall("CodeUri: (\\S+[.]jar)", local.template))) :
    path => "${var.stack_name}/${filesha256("${local.files}/${path}")}.jar"
  }
  # Files that CloudFormation includes in the template.
  included = { for path in ["deploy/alarms.yaml", "deploy/api.yaml", "deploy/dashboard.yaml", "deploy/version-check.yaml"] :
    path => "${var.stack_name}/${filesha256("${local.files}/${path}")}.yaml"
  }
  heartbeats = "functions/target/agent-health-functions-heartbeat.jar"
  others     = "functions/target/agent-health-functions-lambda.jar"
  packaged = replace(replace(replace(replace(replace(replace(local.template,
    "CodeUri: ${local.heartbeats}", "CodeUri: s3://${var.code_bucket}/${local.code[local.heartbeats]}"),
    "CodeUri: ${local.others}", "CodeUri: s3://${var.code_bucket}/${local.code[local.others]}"),
    "Location: deploy/alarms.yaml", "Location: s3://${var.code_bucket}/${local.included["deploy/alarms.yaml"]}"),
    "Location: deploy/version-check.yaml", "Location: s3://${var.code_bucket}/${local.included["deploy/version-check.yaml"]}"),
    "Location: deploy/api.yaml", "Location: s3://${var.code_bucket}/${local.included["deploy/api.yaml"]}"),
  "Location: deploy/dashboard.yaml", "Location: s3://${var.code_bucket}/${local.included["deploy/dashboard.yaml"]}")
}

resource "aws_s3_object" "code" {
  for_each = local.code
  bucket   = var.code_bucket
  key      = each.value
  source   = "${local.files}/${each.key}"

  # A stack that rolls back needs the code that it had.
  lifecycle { create_before_destroy = true }
}

resource "aws_s3_object" "included" {
  for_each = local.included
  bucket   = var.code_bucket
  key      = each.value
  source   = "${local.files}/${each.key}"

  lifecycle { create_before_destroy = true }
}

resource "aws_s3_object" "template" {
  bucket  = var.code_bucket
  key     = "${var.stack_name}/${sha256(local.packaged)}.yaml"
  content = local.packaged

  lifecycle { create_before_destroy = true }
}

data "aws_s3_bucket" "code" {
  bucket = var.code_bucket
}

resource "aws_cloudformation_stack" "registry" {
  name         = var.stack_name
  template_url = "https://${data.aws_s3_bucket.code.bucket_regional_domain_name}/${aws_s3_object.template.key}"
  # CAPABILITY_AUTO_EXPAND lets CloudFormation translate the template, which `sam deploy` asks for as well.
  capabilities = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
  parameters   = { for name, value in local.parameters : name => value if value != null }
  tags         = var.tags
  depends_on   = [aws_s3_object.code, aws_s3_object.included]

  timeouts {
    create = "60m"
    update = "120m"
  }
}

output "outputs" {
  description = "The outputs of the stack, such as ApiUrl and EventBusName."
  value       = aws_cloudformation_stack.registry.outputs
}
