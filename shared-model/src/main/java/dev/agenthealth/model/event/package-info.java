/** What subscribers are told: the events of the system and the details they carry. */
package dev.agenthealth.model.event;
