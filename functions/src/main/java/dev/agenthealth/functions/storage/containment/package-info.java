/** The rules that contain agents, and their cases. */
package dev.agenthealth.functions.storage.containment;
