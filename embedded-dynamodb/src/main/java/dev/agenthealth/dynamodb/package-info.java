/** DynamoDB's client interfaces over SQLite, in this process, for the operations and expressions that the system uses. */
package dev.agenthealth.dynamodb;
