/**
 * The settings that apply without a deployment.
 *
 * <p>Reading, caching and writing them belong to the functions module.
 */
package dev.agenthealth.model.operations.configuration;
