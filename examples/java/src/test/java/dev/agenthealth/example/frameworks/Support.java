package dev.agenthealth.example.frameworks;

/** Answers customers. */
interface Support {

    String answer(String question) throws Exception;
}
