package dev.agenthealth.emulator.streams;

/**
 * A place in a stream: behind one record of one shard.
 *
 * @param shardId empty at the very beginning of the stream
 * @param sequenceNumber of the last record passed; empty at the beginning of the shard
 */
record StreamPosition(String shardId, String sequenceNumber) {}
