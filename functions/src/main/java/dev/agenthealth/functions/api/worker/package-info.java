/** Distribution of work that is too large for one invocation, independent of its kind. */
package dev.agenthealth.functions.api.worker;
