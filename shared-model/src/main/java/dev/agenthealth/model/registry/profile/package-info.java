/**
 * The declaration of an agent about itself: capabilities, endpoint, model, expectations.
 *
 * <p>What the registry observes of an agent belongs to the packages lifecycle, health and trust.
 */
package dev.agenthealth.model.registry.profile;
