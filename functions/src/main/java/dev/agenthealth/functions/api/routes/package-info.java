/**
 * Routes as they are declared, and the Lambda function that answers them.
 *
 * <p>What a route does belongs into the package of its feature.
 */
package dev.agenthealth.functions.api.routes;
