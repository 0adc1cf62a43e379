/** What an agent says about itself. */
package dev.agenthealth.model.profile;
