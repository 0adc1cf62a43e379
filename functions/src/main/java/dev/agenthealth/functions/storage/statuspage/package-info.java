/** The status page for outsiders. */
package dev.agenthealth.functions.storage.statuspage;
