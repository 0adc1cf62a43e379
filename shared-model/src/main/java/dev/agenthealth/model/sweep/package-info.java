/** The rules by which the sweep tells a silent agent from a deaf registry. */
package dev.agenthealth.model.sweep;
