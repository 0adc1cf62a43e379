/** DynamoDB Streams and Lambda's event source mappings of streams to functions: reading, filtering, retrying, checkpoints. */
package dev.agenthealth.emulator.streams;
