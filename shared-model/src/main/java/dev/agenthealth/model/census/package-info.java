/** How the whole fleet fares: agents by lifecycle status, health and score, together and by role, provider and platform. */
package dev.agenthealth.model.census;
