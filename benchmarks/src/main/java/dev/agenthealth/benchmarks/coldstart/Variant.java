package dev.agenthealth.benchmarks.coldstart;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A way to start the function.
 *
 * @param name the name in the table
 * @param javaHome the JDK
 * @param options options of the JVM, besides the options of all variants
 * @param task the folder of the unpacked package
 * @param classPath the package as a jar on the class path; a managed runtime loads it from the task's folder instead
 * @param handler its class and method
 * @param environment variables besides the template's variables
 */
record Variant(
        String name,
        Path javaHome,
        List<String> options,
        Path task,
        List<Path> classPath,
        String handler,
        Map<String, String> environment) {

    Variant with(String newName, List<String> newOptions) {
        return new Variant(newName, javaHome, newOptions, task, classPath, handler, environment);
    }
}
