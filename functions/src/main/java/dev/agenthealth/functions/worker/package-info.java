/** How a function shares out work that is too large for one invocation. Nothing here knows what the work is. */
package dev.agenthealth.functions.worker;
