/**
 * State of the registry itself, one item each: the sweep, the runtime configuration, the statistics. The use of the state in a pass belongs in
 * the sweep.
 */
package dev.agenthealth.functions.storage.system;
