/** The page that shows the fleet in a browser: static files, which call the API with the visitor's key. */
package dev.agenthealth.functions.api.page;
