package dev.agenthealth.dynamodb.contract;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** Requires that a case with a {@link KnownDifference} fails, and then reports it as skipped for that reason. */
final class KnownDifferenceCheck implements InvocationInterceptor {

    private static final String WRITTEN_TO = "contract.differences";

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        check(invocation, context, method.getExecutable().getName());
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        check(invocation, context, method.getExecutable().getName() + "(" + context.getDisplayName() + ")");
    }

    /**
     * Runs a case, and adds the name of the implementation to its failure. With the system property {@value #WRITTEN_TO}, the names of
     * failed cases are added to a file of that name.
     */
    private static void proceed(Invocation<Void> invocation, String backend, String test) throws Throwable {
        try {
            invocation.proceed();
        } catch (TestAbortedException e) {
            throw e;
        } catch (Throwable e) {
            e.addSuppressed(new AssertionError("on " + backend));
            String file = System.getProperty(WRITTEN_TO, "");
            if (!file.isEmpty()) {
                Files.writeString(Path.of(file), test + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            throw e;
        }
    }

    private static void check(Invocation<Void> invocation, ExtensionContext context, String method) throws Throwable {
        Contract contract = (Contract) context.getRequiredTestInstance();
        String test = context.getRequiredTestMethod().getDeclaringClass().getSimpleName() + "." + method;
        Optional<String> difference = KnownDifference.reason(contract.backend.name(), test);
        if (difference.isEmpty()) {
            proceed(invocation, contract.backend.name(), test);
            return;
        }
        try {
            invocation.proceed();
        } catch (TestAbortedException e) {
            throw e;
        } catch (Throwable e) {
            throw new TestAbortedException(difference.get(), e);
        }
        throw new AssertionError(contract.backend.name() + " no longer differs: remove " + test + " from its table");
    }
}
