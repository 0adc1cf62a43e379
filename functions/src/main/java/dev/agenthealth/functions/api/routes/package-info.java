/**
 * Declared routes, and the Lambda function that answers them.
 *
 * <p>The work of a route belongs in the package of its feature.
 */
package dev.agenthealth.functions.api.routes;
