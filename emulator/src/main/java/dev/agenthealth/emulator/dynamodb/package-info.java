/** Amazon DynamoDB: the template's tables in the embedded database. Streams are read in {@code emulator.streams}. */
package dev.agenthealth.emulator.dynamodb;
