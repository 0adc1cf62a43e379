/** DynamoDB Streams and Lambda's mappings of them to functions: reading, filtering, retrying, checkpoints. */
package dev.agenthealth.emulator.streams;
