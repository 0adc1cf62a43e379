/**
 * One-item state of the registry itself: the sweep, the runtime configuration, the statistics. What a pass does with it belongs in the sweep.
 */
package dev.agenthealth.functions.storage.system;
