package dev.agenthealth.functions.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.wiring.AwsClients;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.functions.runtime.wiring.Setting;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How the house is cut: what may know what. */
@AnalyzeClasses(
        packages = "dev.agenthealth",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludePackageInfos.class})
class ArchitectureTest {

    /** What needs more is a rule, which belongs into a service or the model. */
    private static final int MAX_LINES_OF_A_HANDLER_S_METHOD = 30;

    private static final int MAX_PARAMETERS = 7;

    /** Each is one flat row, or has values without groups that a reader would name. */
    private static final Set<String> FLAT_RECORDS = Set.of(
            "AgentHealth",
            "AgentProfile",
            "AnsweredRequest",
            "ApiKey",
            "Caller",
            "Description",
            "Heartbeat",
            "NotificationEntry",
            "NotificationMessage",
            "RoleDefaults",
            "Span");

    private static final String FUNCTIONS = "dev.agenthealth.functions.";

    /** The neighbourhoods of the functions in their order: each uses only those before it. */
    private static final List<String> NEIGHBOURHOODS =
            List.of("runtime", "storage", "api", "registry", "health", "gateway", "operations", "sweep");

    @ArchTest
    static final ArchRule the_functions_have_eight_neighbourhoods = classes()
            .that()
            .resideInAPackage("dev.agenthealth.functions.*..")
            .should(have("a neighbourhood", type -> NEIGHBOURHOODS.contains(neighbourhood(type))));

    @ArchTest
    static final ArchRule a_constructor_has_at_most_seven_parameters = classes()
            .that(describe(
                    "declare constructors in their source",
                    type -> !type.isEnum() && !type.isAnonymousClass() && !type.isLocalClass()))
            .and(not(describe("are flat records", type -> FLAT_RECORDS.contains(type.getSimpleName()))))
            .should(have(
                    "constructors of at most " + MAX_PARAMETERS + " parameters", type -> type.getConstructors().stream()
                            .allMatch(made -> made.getRawParameterTypes().size() <= MAX_PARAMETERS)));

    @ArchTest
    static final ArchRule a_neighbourhood_uses_only_those_before_it = classes()
            .that()
            .resideInAPackage("dev.agenthealth.functions.*..")
            .should(useOnlyNeighbourhoodsBeforeTheirOwn());

    @ArchTest
    static final ArchRule packages_of_a_neighbourhood_depend_on_each_other_in_one_direction =
            slices().assignedFrom(packagesBelow(FUNCTIONS)).should().beFreeOfCycles();

    @ArchTest
    static final ArchRule only_the_storage_kernel_makes_requests_of_dynamodb = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions..")
            .and()
            .resideOutsideOfPackage("dev.agenthealth.functions.storage.dynamo..")
            .and()
            .doNotBelongToAnyOf(Wiring.class, AwsClients.class)
            .should()
            .dependOnClassesThat(resideInAPackage("software.amazon.awssdk.services.dynamodb..")
                    .and(not(equivalentTo(AttributeValue.class))));

    @ArchTest
    static final ArchRule packages_of_the_model_depend_on_each_other_in_one_direction = slices().assignedFrom(
                    packagesBelow("dev.agenthealth.model."))
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule neighbourhoods_of_the_model_depend_on_each_other_in_one_direction =
            slices().matching("dev.agenthealth.model.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_model_knows_nothing_but_itself_and_the_language = classes()
            .that()
            .resideInAPackage("dev.agenthealth.model..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.agenthealth.model..",
                            "java.lang..",
                            "java.math..",
                            "java.nio.charset..",
                            "java.security..",
                            "java.time..",
                            "java.util..",
                            "com.fasterxml.jackson.annotation..")
                    // A value and a pure function, unlike everything else of their package.
                    .or(equivalentTo(URI.class))
                    .or(equivalentTo(URLEncoder.class)));

    @ArchTest
    static final ArchRule every_rule_decides_something = classes()
            .that()
            .resideInAPackage("dev.agenthealth.model..")
            .and()
            .haveSimpleNameEndingWith("Rule")
            .should(have("another class that uses it", type -> type.getDirectDependenciesToSelf().stream()
                    .anyMatch(use -> !use.getOriginClass().getName().startsWith(type.getName()))));

    @ArchTest
    static final ArchRule the_functions_know_neither_the_template_nor_the_local_run = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.agenthealth.template..", "dev.agenthealth.emulator..", "dev.agenthealth.local..");

    /** A store or an item that one feature alone uses lies beside that feature. */
    private static final DescribedPredicate<JavaClass> STORES = describe(
            "stores",
            type -> resideInAPackage("dev.agenthealth.functions.storage..").test(type)
                    || type.getSimpleName().endsWith("Store")
                    || type.getSimpleName().endsWith("Item"));

    @ArchTest
    static final ArchRule only_stores_know_types_of_dynamodb = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions..")
            .and(not(STORES))
            .and()
            .doNotBelongToAnyOf(Wiring.class, AwsClients.class)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon.awssdk.services.dynamodb..");

    @ArchTest
    static final ArchRule only_stores_read_and_write_items = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions..")
            .and(not(STORES))
            .should()
            .accessTargetWhere(describe(
                    "a database is used other than by passing it to a store",
                    access -> access.getTargetOwner().isEquivalentTo(Database.class)
                            && !access.getName().equals("of")));

    @ArchTest
    static final ArchRule the_storage_knows_nothing_of_requests = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions.storage..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.agenthealth.functions.runtime.http..", "com.amazonaws..");

    @ArchTest
    static final ArchRule dialects_of_the_api_call_services_and_no_routes = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.agenthealth.functions.gateway.mcp..", "dev.agenthealth.functions.registry.openintent..")
            .should()
            .dependOnClassesThat(resideOutsideOfPackages(
                            "dev.agenthealth.functions.gateway.mcp..",
                            "dev.agenthealth.functions.registry.openintent..",
                            "dev.agenthealth.functions.api.routes..")
                    .and(simpleNameEndingWith("Routes")));

    @ArchTest
    static final ArchRule only_functions_make_requests = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions..")
            .and()
            .resideOutsideOfPackage("dev.agenthealth.functions.api.routes..")
            .should()
            .callConstructorWhere(
                    describe("a request is made", call -> call.getTargetOwner().isEquivalentTo(ApiRequest.class)));

    @ArchTest
    static final ArchRule only_the_wiring_reads_the_clock_of_the_machine = noClasses()
            .that()
            .resideInAnyPackage("dev.agenthealth.functions..", "dev.agenthealth.model..")
            .and()
            .doNotBelongToAnyOf(Wiring.class)
            .should()
            .accessTargetWhere(theMachineIsAskedForTheTime());

    @ArchTest
    static final ArchRule only_the_pause_lets_a_thread_wait = noClasses()
            .that()
            .resideInAnyPackage("dev.agenthealth.functions..", "dev.agenthealth.model..")
            .and()
            .doNotBelongToAnyOf(Pause.class)
            .should()
            .accessTargetWhere(isNamed("sleep"));

    @ArchTest
    static final ArchRule no_class_prints_a_stack_trace =
            noClasses().should().accessTargetWhere(isNamed("printStackTrace"));

    @ArchTest
    static final ArchRule every_metric_is_reported_somewhere = fields().that()
            .areDeclaredIn(Metric.class)
            .and()
            .haveRawType(Metric.class)
            .should(beReadOutsideOfTheirClass());

    @ArchTest
    static final ArchRule every_attribute_of_an_item_is_read_somewhere =
            fields().that().haveRawType(Attribute.class).and().areStatic().should(beReadAfterTheirDeclaration());

    @ArchTest
    static final ArchRule every_setting_is_read_somewhere =
            fields().that().haveRawType(Setting.class).and().areStatic().should(beReadAfterTheirDeclaration());

    @ArchTest
    static final ArchRule every_setting_is_declared_in_one_place = fields().that()
            .haveRawType(Setting.class)
            .and()
            .areStatic()
            .should()
            .beDeclaredIn(FunctionSettings.class);

    @ArchTest
    static final ArchRule only_the_wiring_reads_environment_variables = noClasses()
            .that()
            .resideInAPackage("dev.agenthealth.functions..")
            .and()
            .doNotBelongToAnyOf(Wiring.class)
            .should()
            .accessTargetWhere(describe(
                    "the environment is read",
                    access -> access.getName().equals("getenv")
                            || access.getTargetOwner().isEquivalentTo(Wiring.class)
                                    && access.getName().equals("environment")));

    @ArchTest
    static final ArchRule nothing_static_changes = fields().that()
            .areStatic()
            .and()
            .doNotHaveModifier(JavaModifier.SYNTHETIC)
            .should()
            .beFinal();

    @ArchTest
    static final ArchRule lambda_can_make_every_handler_and_so_can_a_test = classes()
            .that()
            .implement(RequestHandler.class)
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .should()
            .bePublic()
            .andShould(have("a public constructor without parameters", type -> hasConstructor(type)))
            .andShould(have("a public constructor with a Wiring", type -> hasConstructor(type, Wiring.class)));

    @ArchTest
    static final ArchRule handlers_are_thin = methods()
            .that()
            .areDeclaredInClassesThat()
            .implement(RequestHandler.class)
            .should(beShort());

    /** Returns the neighbourhood of a class, such as {@code registry}; empty for an entry class. */
    private static String neighbourhood(JavaClass type) {
        String name = type.getPackageName();
        return name.startsWith(FUNCTIONS) ? name.substring(FUNCTIONS.length()).split("\\.")[0] : "";
    }

    private static ArchCondition<JavaClass> useOnlyNeighbourhoodsBeforeTheirOwn() {
        return new ArchCondition<>("use only neighbourhoods before their own") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                int own = NEIGHBOURHOODS.indexOf(neighbourhood(type));
                type.getDirectDependenciesFromSelf().forEach(use -> {
                    String name = use.getTargetClass().getPackageName() + ".";
                    int other = name.equals(FUNCTIONS)
                            ? Integer.MAX_VALUE
                            : NEIGHBOURHOODS.indexOf(neighbourhood(use.getTargetClass()));
                    events.add(new SimpleConditionEvent(type, other <= own, use.getDescription()));
                });
            }
        };
    }

    /** One slice for each package with at most two names below the given one; packages that lie deeper belong to them. */
    private static SliceAssignment packagesBelow(String parent) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                if (!name.startsWith(parent)) {
                    return SliceIdentifier.ignore();
                }
                String[] parts = name.substring(parent.length()).split("\\.");
                return parts.length == 1 ? SliceIdentifier.of(parts[0]) : SliceIdentifier.of(parts[0], parts[1]);
            }

            @Override
            public String getDescription() {
                return "packages below " + parent;
            }
        };
    }

    private static DescribedPredicate<JavaAccess<?>> theMachineIsAskedForTheTime() {
        return describe("the machine is asked for the time", access -> {
            String owner = access.getTargetOwner().getName();
            String name = access.getName();
            boolean withClock = access.getTarget() instanceof CodeUnitAccessTarget target
                    && target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
            return owner.startsWith("java.time.") && name.equals("now") && !withClock
                    || owner.equals("java.time.Clock") && name.startsWith("system")
                    || owner.equals("java.time.Clock") && name.startsWith("tick") && !withClock
                    || owner.equals("java.lang.System") && (name.equals("currentTimeMillis") || name.equals("nanoTime"))
                    || owner.equals("java.util.Date") && name.equals("<init>");
        });
    }

    private static DescribedPredicate<JavaAccess<?>> isNamed(String name) {
        return describe(
                "the target is named " + name, access -> access.getName().equals(name));
    }

    private static ArchCondition<JavaClass> have(String what, Predicate<JavaClass> has) {
        return new ArchCondition<>("have " + what) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(new SimpleConditionEvent(
                        type, has.test(type), type.getName() + (has.test(type) ? " has " : " does not have ") + what));
            }
        };
    }

    private static ArchCondition<JavaField> beReadOutsideOfTheirClass() {
        return new ArchCondition<>("be read outside of their class") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                boolean read = field.getAccessesToSelf().stream()
                        .anyMatch(access -> !access.getOriginOwner().equals(field.getOwner()));
                events.add(new SimpleConditionEvent(field, read, field.getFullName() + " is read elsewhere"));
            }
        };
    }

    private static ArchCondition<JavaField> beReadAfterTheirDeclaration() {
        return new ArchCondition<>("be read after their declaration") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                boolean read = field.getAccessesToSelf().stream()
                        .anyMatch(access -> !access.getOrigin().getName().equals("<clinit>"));
                events.add(new SimpleConditionEvent(field, read, field.getFullName() + " is read"));
            }
        };
    }

    private static ArchCondition<JavaMethod> beShort() {
        return new ArchCondition<>("have at most " + MAX_LINES_OF_A_HANDLER_S_METHOD + " lines") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                int lines = lines(method);
                events.add(new SimpleConditionEvent(
                        method,
                        lines <= MAX_LINES_OF_A_HANDLER_S_METHOD,
                        method.getFullName() + " has " + lines + " lines"));
            }
        };
    }

    private static boolean hasConstructor(JavaClass type, Class<?>... parameters) {
        return type.tryGetConstructor(parameters)
                .map(constructor -> constructor.getModifiers().contains(JavaModifier.PUBLIC))
                .orElse(false);
    }

    /** From the first to the last line on which the method calls or reads anything. */
    private static int lines(JavaCodeUnit method) {
        var lines = method.getAccessesFromSelf().stream()
                .mapToInt(JavaAccess::getLineNumber)
                .summaryStatistics();
        return lines.getCount() == 0 ? 0 : lines.getMax() - lines.getMin() + 1;
    }
}
