/**
 * One set of tests of the functions with their tables, bus and queues, for several backends: what a local run embeds, LocalStack in a
 * container, and any endpoint that speaks AWS's protocols.
 */
package dev.agenthealth.local.integration;
