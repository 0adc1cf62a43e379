package dev.agenthealth.testkit;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Counts the steps of operations: each call of a method of this project, and each repetition of a loop in such a method, in any thread. Steps
 * inside of libraries are not counted, but the calls of functions that this project passes to them are. The number hardly depends on the
 * machine, because it counts no time.
 *
 * <p>A test compares the steps of the same operations beside few and beside many things:
 *
 * <pre>{@code
 * Map<String, Long> few = CountedSteps.of(Scenario.class, 1_000);
 * CountedSteps.of(Scenario.class, 100_000).forEach((operation, steps) -> assertThat(steps).isLessThan(2 * few.get(operation)));
 * }</pre>
 */
public final class CountedSteps {

    /** The number of runs of an operation. The least steps count, because the first run fills caches, and threads may wait for each other. */
    private static final int RUNS = 3;

    private CountedSteps() {}

    /**
     * Returns the steps of each operation, by the operation's name.
     *
     * @param scenario a public class with a public constructor without parameters; it gets the number of things, creates them and returns
     *     the operations, which run one after the other; it is closed afterwards if it can be closed
     */
    public static Map<String, Long> of(Class<? extends IntFunction<Map<String, Runnable>>> scenario, int things) {
        CountingClassLoader loader = new CountingClassLoader();
        try (Scenario created = Scenario.of(loader.loadClass(scenario.getName()))) {
            Class<?> counter = loader.loadClass(StepCounter.class.getName());
            Method begin = counter.getMethod("begin");
            Method end = counter.getMethod("end");
            Map<String, Long> steps = new LinkedHashMap<>();
            for (Map.Entry<String, Runnable> operation :
                    created.operations(things).entrySet()) {
                long least = Long.MAX_VALUE;
                for (int run = 0; run < RUNS; run++) {
                    begin.invoke(null);
                    operation.getValue().run();
                    least = Math.min(least, (long) end.invoke(null));
                }
                steps.put(operation.getKey(), least);
            }
            return steps;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the scenario failed", e);
        }
    }

    /** An object of the scenario's class as the counting class loader defines it. Closing it closes the object if it can be closed. */
    private record Scenario(Object created) implements AutoCloseable {

        static Scenario of(Class<?> scenario) throws ReflectiveOperationException {
            return new Scenario(scenario.getConstructor().newInstance());
        }

        @SuppressWarnings("unchecked")
        Map<String, Runnable> operations(int things) {
            return ((IntFunction<Map<String, Runnable>>) created).apply(things);
        }

        @Override
        public void close() {
            if (created instanceof AutoCloseable open) {
                try {
                    open.close();
                } catch (Exception e) {
                    throw new IllegalStateException("the scenario was not closed", e);
                }
            }
        }
    }

    /** Loads this project's classes with a call of {@link StepCounter#step} in each method and in each repetition of a loop. */
    private static final class CountingClassLoader extends RecordingClassLoader {

        @Override
        protected byte[] changed(String name, byte[] classFile) {
            if (name.equals(StepCounter.class.getName())) {
                return classFile;
            }
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, 0);
            ClassVisitor counting = new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(
                        int access, String method, String descriptor, String signature, String[] exceptions) {
                    return new CountingMethod(super.visitMethod(access, method, descriptor, signature, exceptions));
                }
            };
            reader.accept(counting, 0);
            return writer.toByteArray();
        }
    }

    /** Adds the calls of {@link StepCounter#step} to a method. They leave the stack as it is, so that the method's frames stay valid. */
    private static final class CountingMethod extends MethodVisitor {

        private final Set<Label> passed = new HashSet<>();

        CountingMethod(MethodVisitor method) {
            super(Opcodes.ASM9, method);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            count();
        }

        @Override
        public void visitLabel(Label label) {
            passed.add(label);
            super.visitLabel(label);
        }

        @Override
        public void visitJumpInsn(int opcode, Label target) {
            if (passed.contains(target)) {
                count();
            }
            super.visitJumpInsn(opcode, target);
        }

        private void count() {
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, StepCounter.class.getName().replace('.', '/'), "step", "()V", false);
        }
    }
}
