/** Moves the configuration of a registry to another registry, as one document without secrets. */
package dev.agenthealth.functions.operations.transfer;
