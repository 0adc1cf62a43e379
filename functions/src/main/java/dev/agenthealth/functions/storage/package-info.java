/** DynamoDB: the two tables, every attribute name, every conditional write. Nobody else talks to them. */
package dev.agenthealth.functions.storage;
