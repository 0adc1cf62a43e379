/** Files and folders that only their owner can read. */
package dev.agenthealth.dynamodb.files;
