/** Reads schedules from requests, and converts them to the text of items. */
package dev.agenthealth.functions.runtime.schedule;
