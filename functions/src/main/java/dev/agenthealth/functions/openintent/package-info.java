/**
 * The dialect of OpenIntent's published SDK: the routes below {@code /openintent}.
 *
 * <p>A route here leads to another route and translates its request and its answer. What is allowed, checked, stored and counted belongs
 * into the package of that route.
 */
package dev.agenthealth.functions.openintent;
