/** DynamoDB's client interfaces over SQLite, in this process, for the subset of operations and expressions that the system uses. */
package dev.agenthealth.dynamodb;
