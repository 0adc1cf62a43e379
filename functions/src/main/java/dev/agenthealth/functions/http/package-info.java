/** HTTP as API Gateway hands it over: requests, responses, problem documents, routes. */
package dev.agenthealth.functions.http;
