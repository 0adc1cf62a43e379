/** Which host shows the health of which agent. */
package dev.agenthealth.functions.storage.hosts;
