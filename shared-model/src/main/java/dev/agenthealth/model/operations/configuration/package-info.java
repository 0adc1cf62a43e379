/**
 * The settings that apply without a deployment.
 *
 * <p>The functions module reads, caches and writes settings.
 */
package dev.agenthealth.model.operations.configuration;
