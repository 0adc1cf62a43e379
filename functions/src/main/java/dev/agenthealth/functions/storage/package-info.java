/**
 * The stores. Each package owns the items of one subject: attribute names, conditions and queries.
 *
 * <p>Only {@code storage.dynamo} builds expressions and calls DynamoDB. A store offers operations of its subject, such as "write the
 * heartbeat if the row is as it was read". Every change of a status is one transaction with its event, which {@code storage.events} writes.
 * Rules belong in the model; requests and responses belong in the neighbourhoods that use a store. A store that only one feature uses is
 * beside that feature.
 *
 * <p>Read {@link dev.agenthealth.functions.storage.dynamo.Table} first, then {@link dev.agenthealth.functions.storage.pulses.PulseStore}.
 */
package dev.agenthealth.functions.storage;
