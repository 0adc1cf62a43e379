/** Model providers that agents call, and failures that many agents share because their provider fails. */
package dev.agenthealth.model.registry.upstream;
