/** Amazon DynamoDB: the template's tables in an embedded DynamoDB Local. Streams are read in {@code emulator.streams}. */
package dev.agenthealth.emulator.dynamodb;
