/** Measurement windows and the slices they are made of. */
package dev.agenthealth.model.window;
