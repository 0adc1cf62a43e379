/** Calls that leave the system for addresses that somebody else chose: checked, pinned, bounded in time and in size. */
package dev.agenthealth.functions.outbound;
