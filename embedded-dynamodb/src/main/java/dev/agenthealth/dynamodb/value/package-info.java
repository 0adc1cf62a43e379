/** Attribute values by DynamoDB's rules: validation, normal form, order, equality and size. */
package dev.agenthealth.dynamodb.value;
