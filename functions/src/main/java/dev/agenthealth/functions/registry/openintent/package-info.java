/**
 * The dialect of OpenIntent's published SDK: the routes below {@code /openintent}.
 *
 * <p>A route here translates a request, calls the service of this API, and translates its result. Checks, limits and storage belong into
 * the package of that service.
 */
package dev.agenthealth.functions.registry.openintent;
