/**
 * The declaration of an agent about itself: capabilities, endpoint, model, expectations.
 *
 * <p>Observations of the registry are in the packages lifecycle, health and trust.
 */
package dev.agenthealth.model.registry.profile;
