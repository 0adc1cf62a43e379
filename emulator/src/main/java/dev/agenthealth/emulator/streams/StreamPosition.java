package dev.agenthealth.emulator.streams;

/**
 * A position in a stream: after a record of a shard.
 *
 * @param shardId empty at the beginning of the stream
 * @param sequenceNumber the last record before the position; empty at the beginning of the shard
 */
record StreamPosition(String shardId, String sequenceNumber) {}
