/**
 * The dialect of OpenIntent's published SDK: the routes below {@code /openintent}.
 *
 * <p>A route here translates a request, calls the service that also answers the route of this API, and translates its result. What is allowed,
 * checked, stored and counted belongs into the package of the service.
 */
package dev.agenthealth.functions.registry.openintent;
