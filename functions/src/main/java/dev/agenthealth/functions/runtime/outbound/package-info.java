/**
 * HTTP calls to addresses that other parties choose. Addresses are checked and pinned, time and size are limited. The package has no A2A
 * protocol and no storage.
 */
package dev.agenthealth.functions.runtime.outbound;
