/** The behaviour of DynamoDB that the system relies on, tested on each implementation. */
package dev.agenthealth.dynamodb.contract;
