package dev.agenthealth.functions.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** A snapshot is started many times, long after it was taken: nothing in it may be drawn by lot, dated or looked up. */
@AnalyzeClasses(
        packages = {"dev.agenthealth.functions", "dev.agenthealth.model"},
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludePackageInfos.class})
@Tag("SYS-01")
@Tag("slow")
class SnapshotRulesTest {

    private static final Set<String> GENERATORS = Set.of(
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.random.RandomGenerator",
            "java.security.SecureRandom",
            "com.github.f4b6a3.ulid.UlidFactory");

    /** What draws when it is called. */
    private static final Set<String> DRAWING =
            Set.of("java.security.SecureRandom", "java.util.UUID", "com.github.f4b6a3.ulid.UlidCreator");

    @ArchTest
    static final ArchRule no_class_keeps_a_generator_of_random_numbers =
            noFields().should().haveRawType(drawing());

    @ArchTest
    static final ArchRule no_class_keeps_an_address = noFields().should().haveRawType(InetAddress.class);

    @ArchTest
    static final ArchRule no_class_draws_from_what_all_instances_of_a_snapshot_share = noClasses()
            .should()
            .accessTargetWhere(describe("it is shared and seeded before the snapshot", access -> {
                String owner = access.getTargetOwner().getName();
                return owner.equals("java.util.concurrent.ThreadLocalRandom")
                        || owner.equals("java.util.Random")
                        || owner.equals("java.util.SplittableRandom")
                        || owner.equals("java.lang.Math") && access.getName().equals("random");
            }));

    @ArchTest
    static final ArchRule nothing_is_drawn_dated_or_looked_up_while_something_is_made = codeUnits()
            .that(describe("make an object or a class", SnapshotRulesTest::isMaking))
            .should(drawNothing());

    private static boolean isMaking(JavaCodeUnit unit) {
        return unit.getName().equals("<init>") || unit.getName().equals("<clinit>");
    }

    private static DescribedPredicate<JavaClass> drawing() {
        return describe("draws", type -> GENERATORS.contains(type.getName()));
    }

    private static ArchCondition<JavaCodeUnit> drawNothing() {
        return new ArchCondition<>("draw nothing, read no clock and ask no network") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
                    if (isDrawn(access)) {
                        events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isDrawn(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        String name = access.getName();
        return access.getTarget() instanceof CodeUnitAccessTarget
                && (DRAWING.contains(owner.getName())
                        || owner.isEquivalentTo(Clock.class)
                                && Set.of("instant", "millis").contains(name)
                        || owner.getPackageName().equals("java.time") && name.equals("now")
                        || owner.isEquivalentTo(InetAddress.class)
                        || owner.isEquivalentTo(System.class)
                                && Set.of("currentTimeMillis", "nanoTime").contains(name));
    }
}
