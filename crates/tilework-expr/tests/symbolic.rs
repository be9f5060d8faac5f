//! Names that are known only at launch, through the text: the examples of what users ask, and what is refused.

use testkit::{Random, scaled};
use tilework_expr::Session;

/// The value of a text, which its printed form has as well; or its error.
fn answer(text: &str) -> String {
    let mut session = Session::new();
    match session.evaluate(text).cloned() {
        Ok(value) => {
            let printed = value.to_string();
            assert_eq!(session.evaluate(&printed), Ok(&value), "{text}: {printed}");
            printed
        }
        Err(error) => format!("error: {error}"),
    }
}

macro_rules! answers {
    ($($name:ident: $($text:literal => $wanted:literal),+;)*) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(answer($text), $wanted, "{}", $text);)+
        }
    )*};
}

// The fifteen examples of what users ask.
answers! {
    example_1_ragged_tiles:
        "assume ld >= M; zipped_divide((M,K):(1,ld), <128,32>)"
            => "((128,32),(ceil(M/128),ceil(K/32))):((1,ld),(128,32*ld))";
    example_2_tiles_that_divide:
        "assume M % 128 == 0, ld >= M; zipped_divide((M,K):(1,ld), <128,32>)"
            => "((128,32),(M/128,ceil(K/32))):((1,ld),(128,32*ld))";
    example_3_a_matrix_as_one_mode:
        "assume ld >= M; logical_divide((M,K):(1,ld), 128)" => "(128,(M/128,K)):(1,(128,ld)) if M % 128 == 0",
        "assume M % 128 == 0, ld >= M; (M,K):(1,ld) / 128" => "(128,(M/128,K)):(1,(128,ld))";
    example_4_a_tile_of_a_matrix:
        "assume ld >= M; (M,K):(1,ld) o 128:1" => "128:1 if ld == M or M >= 128",
        "assume ld >= M; hint M = 64; (M,K):(1,ld) o 128:1" => "(M,floor(128/M)):(1,ld) if 128 % M == 0";
    example_5_steps_of_three:
        "assume ld >= M; (M,K):(1,ld) o 64:3" => "64:3 if ld == M or M >= 190";
    example_6_a_tall_layout:
        "coalesce((192,N):(1,192))" => "192*N:1",
        "coalesce((192,N):(1,192)) o (256,192):(1,256)" => "(256,192):(1,256)";
    example_7_coordinates:
        "assume N % 8 == 0; (4096,8192,N):(1,4096,0) o (32,N/8,8,128):(1@0,8@1,1@1,32@0)"
            => "(32,N/8,8,128):(1,32768,4096,32)";
    example_8_inverses:
        "right_inverse((16,N):(1,16))" => "16*N:1",
        "left_inverse((16,N):(1,24))" => "(24,N):(1,16)",
        "left_inverse((M,K):(ld,1))" => "(ld,M):(M,1) if ld >= K",
        "left_inverse((6,2,2):(1,M,12))" => "(M,2):(1,6) if M >= 18",
        "left_inverse((M,4):(M,1))" => "(M,M):(M,1) if M >= 4 or M*M == 1",
        "right_inverse(Sw<3,3,3> o (64,M):(1,64))" => "Sw<3,3,3> o 0 o 64*M:1 if M % 8 == 0",
        "assume M % 8 == 0; inverse(Sw<3,3,3> o (64,M):(1,64))" => "Sw<3,3,3> o 0 o 64*M:1",
        "inverse(Sw<3,3,3> o (8,64,M):(64,1,512))" => "Sw<3,0,-6> o 0 o (64,8,M):(8,1,512)",
        "left_inverse(Sw<3,3,3> o (8,64,M):(64,1,512))" => "Sw<3,0,-6> o 0 o (64,8,M):(8,1,512)",
        "left_inverse(Sw<2,0,2> o (16,M):(1,32))" => "Sw<2,0,2> o 0 o (32,M):(1,16)",
        "right_inverse(Sw<3,3,3> o (M,64):(64,1))"
            => "error: no-layout: no layout is this inverse: it moves the bits of the swizzle to others than adjacent ones",
        "left_inverse(Sw<3,3,3> o {8*M} o (64,M):(1,64))"
            => "error: kind: argument 1 of left_inverse is a swizzled symbolic layout where a layout without an offset, and no second argument, beside names, is wanted",
        "right_inverse({8} o (8,M):(M,1))"
            => "error: kind: argument 1 of right_inverse is a symbolic layout with an offset where a layout without an offset, and no second argument, beside names, is wanted";
    example_9_access_widths:
        "assume ld >= M; max_vector((M,K):(1,ld), 8)" => "8 if M % 8 == 0 and ld % 8 == 0",
        "assume ld >= M; is_vector((M,K):(1,ld), 8)" => "true if M % 8 == 0 and ld % 8 == 0",
        "assume M % 8 == 0, ld % 16 == 0; max_vector((M,K):(1,ld), 16)" => "16 if M % 16 == 0",
        "assume M % 8 == 0, ld % 16 == 0; hint M = 8; max_vector((M,K):(1,ld), 16)" => "8",
        "max_vector((M,K):(1,ld), 8) at M = 64, K = 8, ld = 64" => "8",
        "let A = (M,K):(1,ld); right_inverse(A) at M = 64, K = 8, ld = 64" => "512:1",
        "linear_form((M,K):(1,M)) at M = 2, K = 3" => "(1,2)";
    example_10_batches:
        "equivalent((M,K,L):(1,ld,bs), M*K*L:1)" => "true if (ld == M or K*L <= 1) and (bs == K*ld or L <= 1)";
    example_11_pages:
        "(page,T):(128,128*page*H) o 64:1" => "64:128 if H == 1 or page >= 64",
        "let A = (page,T):(128,128*page*H); hint page = 16; A o 64:1"
            => "(page,floor(64/page)):(128,128*page*H) if 64 % page == 0";
    example_12_a_mesh:
        "coalesce((tp,pp,dp):(1,tp,tp*pp))" => "tp*pp*dp:1",
        "assume tp >= 1, pp >= 1; complement(dp:tp*pp, tp*pp*dp)" => "tp*pp:1",
        "assume tp >= 1; N:1 / tp" => "(tp,ceil(N/tp)):(1,tp)";
    example_13_a_grid:
        "assume M >= 1, K >= 1; ceil(M/128)*ceil(K/32)" => "ceil(M/128)*ceil(K/32)",
        "assume ld >= M; fits((M,K):(1,ld), 31)" => "true if ld*K + M <= ld + 2147483648",
        "assume M <= 4096, K <= 4096, ld <= 4096; fits((M,K):(1,ld), 31)" => "true",
        "assume M >= 65536, K >= 65536, ld >= M; fits((M,K):(1,ld), 31)" => "false";
    example_14_repetitions_and_gaps:
        "logical_product((M,K):(1,M), 4:1)" => "((M,K),4):((1,M),M*K)",
        "let A = (M,K):(1,ld); assume ld >= M; complement(A, 4*ld*K)"
            => "(floor(ld/M),4):(M,K*ld) if K >= 2 or ld == M*floor(ld/M)";
    example_15_heads:
        "(64*H,S,B):(1,192*H,192*H*S) o (64,S,H,B):(1,64*H,64,64*H*S)" => "(64,S,H,B):(1,192*H,64,192*H*S)";
}

answers! {
    names_are_declared_by_literals_alone:
        "A(3)" => "error: name: there is no function or variable `A`; `let A = (4,8):(8,1);` before names a layout",
        "owner(SM61_DP4A{}, c, (0,2))" => "error: name: there is no function or variable `c`; the operand of an instruction is written `.c`; `let c = 128;` before names a value, `assume c >= 1;` one that is known only at launch",
        "ldmatrix" => "error: name: there is no function or variable `ldmatrix`; 14 instructions are about it, such as SM75_U32x1_LDSM_N",
        "A o 4:1" => "error: name: there is no function or variable `A`; `let A = 128;` before names a value, `assume A >= 1;` one that is known only at launch",
        "hint M = 4" => "error: name: `M` is not declared; a name is declared by a literal, (M,K):(1,ld), or by a fact, assume M >= 1",
        "size((M,8):(8,1)) + K" => "error: name: there is no function or variable `K`; `let K = 128;` before names a value, `assume K >= 1;` one that is known only at launch";
    variables_keep_their_meaning:
        "let M = 4; (M,2):(1,M)" => "(4,2):(1,4)",
        "let M = 4; (M,N):(1,M)" => "(4,N):(1,4)",
        "let M = 4; M*N:M" => "4*N:4",
        "let S = (4,8); (S,N):((1,4),32)" => "((4,8),N):((1,4),32)",
        "let A = (4,8):(1,4); (A,N):(1,2)"
            => "error: kind: `A` is a layout, and an integer is needed here; choose another name for one of the two";
    numbers:
        "(M,K):(1,ld); 2*(M + 3)*K - ld" => "2*M*K + 6*K - ld",
        "(M,K):(1,ld); ceil(M/128)" => "ceil(M/128)",
        "(M,K):(1,ld); floor(ld/M)" => "floor(ld/M)",
        "(M,K):(1,ld); ceil((ld + 3)/M)" => "floor((ld+2)/M) + 1",
        "(M,K):(1,ld); ld/M" => "(ld)/(M)",
        "(M,K):(1,ld); ld/M + 1" => "error: kind: the quotient is not a polynomial; write floor(p/q) or ceil(p/q)",
        "(M,K):(1,ld); M/128" => "M/128",
        "(M,K):(1,ld); M % 128" => "M - 128*floor(M/128)",
        "(M,K):(1,ld); M << 3" => "8*M",
        "(M,K):(1,ld); M^2" => "M*M",
        "(M,K):(1,ld); M - M + 4" => "4",
        "let A = (M,K):(1,ld); A(12)" => "-M*floor(12/M) + ld*floor(12/M) + 12",
        "let A = (M,K):(1,ld); A(3,2)" => "2*ld + 3",
        "let A = (M,K):(1,ld); A(_,2)" => "{2*ld} o M:1",
        "let A = (M,K):(1,ld); A(_,2)(3)" => "2*ld + 3",
        "(M,K):(1,M + 8)" => "(M,K):(1,M+8)",
        "(M,K):(1,M+8)" => "(M,K):(1,M+8)",
        "((M,4),K):((1@0,M@0),(K+8)@1)" => "((M,4),K):((1@0,M@0),(K+8)@1)",
        "64*H:1" => "64*H:1",
        "size((M,8):(8,1))" => "8*M",
        "shape((M,8):(8,1))" => "(M,8)",
        "stride((M,8):(8,ld))" => "(8,ld)",
        "size<1>((M,8):(8,1))" => "8",
        "cosize((M,K):(1,ld))" => "K*ld + M - ld";
    values_of_the_cute_dsl:
        "(192,?):(1,192)" => "(192,?0):(1,192)",
        "(?{div=8},?{i64 div=4}):(1,?)" => "(?0,?1):(1,?2)",
        "let A = (192,?):(1,192); size(A)" => "192*?0",
        "let A = (192,?):(1,192); 192*?0 + 1" => "192*?0 + 1",
        "let A = (192,?):(1,192); (4,8):(?0,1)" => "(4,8):(?0,1)",
        "let A = (192,?):(1,192); (_4,_8):(_8,1)" => "(4,8):(8,1)",
        "let A = (?,4):(1,?); A at ?0 = 8, ?1 = 16" => "(8,4):(1,16)",
        "let A = (?,4):(1,?); assume ?0 % 8 == 0; floor(?0/8) + 2*?1" => "?0/8 + 2*?1",
        "(4,8):(_0,1)" => "(4,8):(0,1)",
        "let A = (?{div=8},4):(1,?); A / 8" => "(8,(?0/8,4)):(1,(8,?1))";
    lower_bounds:
        "assume M >= 1, ld >= 4, ld >= M; is_injective((M,K):(1,ld))" => "true",
        "assume ld >= M, ld >= K, ld % 8 == 0; is_injective((M,2):(1,ld))" => "true",
        "assume ld >= 4, ld >= M; (M,K):(1,ld) o 4:1" => "4:1 if M == ld or M >= 4",
        "assume ld >= 4, ld >= M; is_injective((4,K):(1,ld))" => "true",
        "is_injective((M,M):(M,2))" => "true if M <= 1";
    groups:
        "group((M,8,2):(1,M,ld), (0,1))" => "((M,8),2):((1,M),ld)",
        "unflatten((M,8,2):(1,M,ld), (0,(0,0)))" => "(M,(8,2)):(1,(M,ld))",
        "assume M >= 1; append((M,8), 2)" => "(M,8,2)",
        "assume M >= 1; append<4>((M,8))" => "(M,8,1,1)",
        "prepend((M,8):(1,M), 2:ld)" => "(2,M,8):(ld,1,M)",
        "assume M >= 1, N >= 1; replace((M,8), 0, N)" => "(N,8)",
        "group<1,3>((M,8,2):(1,M,ld))" => "(M,(8,2)):(1,(M,ld))",
        "group((M,8,2):(1,M,ld), (0,2))"
            => "error: arguments: group takes adjacent modes in their order, as (0,1), since their leaves keep it; found (0,2), and select(L, ...) reorders modes";
    instances:
        "assume ld >= M; (M,K):(1,ld) o 128:1 at M = 4096, K = 512, ld = 4096" => "128:1",
        "assume i >= 0, j >= 0; local_tile((M,K):(K,1), (128,64), (i,j))" => "{128*i*K + 64*j} o (128,64):(K,1) if ceil(M/128) >= i + 1 and ceil(K/64) >= j + 1",
        "assume i >= 0, M % 128 == 0; local_tile(identity((M,8)), (128,8), (i,0))" => "{(128*i,0)} o (128,8):(1@0,1@1) if M >= 128*i + 128",
        "assume t >= 0, t < 128; local_partition((128,64):(ld,1), (16,8):(8,1), t)" => "{ld*floor(t/8) + t - 8*floor(t/8)} o (8,8):(16*ld,8)",
        "assume M >= 9; M-8 *4" => "M - 32",
        "assume ld >= M; (M,K):(1,ld) / 128 at M = 100" => "error: guard: M % 128 == 0 fails at M = 100",
        "assume M % 128 == 0; (M,K):(1,ld) at M = 100" => "error: guard: M % 128 == 0 fails at M = 100",
        "assume ld >= M; (M,K):(1,ld) at M = 100, ld = 64" => "error: guard: ld >= M fails at M = 100, ld = 64",
        "(M,K):(1,ld) at M = 0" => "error: guard: M >= 1 fails at M = 0",
        "let L = (M,K):(1,ld); L[M = 4096]" => "(4096,K):(1,ld)",
        "let L = (M,K):(1,ld); size(L[M = 64, K = 2*4, ld = 100])" => "512",
        "assume ld >= M; (M,K):(1,ld) o 128:1 at M = 100" => "128:1 if ld == 100",
        "assume ld >= M; (M,K):(1,ld) o 128:1 at M = 128" => "128:1",
        "(M,K):(1,ld) at N = 3" => "error: name: `N` is not declared",
        "4:1 at N = 3" => "error: name: `N` is not declared";
    variables_in_literals:
        "let n = 4; (n,K):(K,1)" => "(4,K):(K,1)",
        "let c = (4); (c,K):((K),1)" => "((4),K):((K),1)",
        "(2*M):1" => "2*M:1",
        "(2*M):(1)" => "(2*M):(1)",
        "8:(M+1)" => "8:M+1",
        "let A = (M,8):(8,1); let n = size(A); (n,K):(K,1)" => "(8*M,K):(K,1)",
        "let L = (L,K):(1,ld); (L,K):(1,ld)"
            => "error: kind: `L` is a symbolic layout, and an integer is needed here; choose another name for one of the two",
        "let L = 8:1; (L,K):(1,8)" => "error: kind: `L` is a layout, and an integer is needed here; choose another name for one of the two",
        "let q = 1/2; (K,8):(q,1)" => "(K,8):(1/2,1)",
        "let A = (M,8):(8,1); let q = size(A / 16); (q,K):(K,1)"
            => "error: kind: `q` has a condition, and an integer without one is needed here; choose another name for one of the two",
        "let L = 8:1; assume L >= 4" => "error: kind: `L` is a layout, and an integer is needed here; choose another name for one of the two",
        "let A = (M,8):(8,1); let L = 8:1; A if L >= 2" => "error: kind: `L` is a layout, and an integer is needed here; choose another name for one of the two";
    guards_go_along:
        "assume ld >= M; coalesce((M,K):(1,ld) / 128)" => "(M,K):(1,ld) if M % 128 == 0",
        "assume ld >= M; size((M,K):(1,ld) / 128)" => "M*K if M % 128 == 0",
        "assume ld >= M; ((M,K):(1,ld) o 128:1) o 64:1" => "64:1 if ld == M or M >= 128",
        "assume ld >= M; ((M,K):(1,ld) o 128:1, (M,K):(1,ld) / 64)"
            => "(128,(64,(M/64,K))):(1,(1,(64,ld))) if (ld == M or M >= 128) and M % 64 == 0";
    questions_about_layouts:
        "is_injective((M,K):(1,ld))" => "true if ld >= M or K <= 1",
        "let A = (M,K):(1,ld); is_injective(A(_,3))" => "true",
        "is_surjective((M,K):(1,step))" => "true if step <= M or K <= 1",
        "is_surjective((M,K):(1,0))" => "true",
        "is_bijective((M,K):(1,ld))" => "true if ld == M or K <= 1",
        "is_compact((M,K):(K,1))" => "true",
        "is_compact((M,4):(1,0))" => "false",
        "is_increasing((M,K):(1,ld))" => "true if ld >= M or K <= 1",
        "is_increasing((M,4):(-1,M))" => "true if M <= 1",
        "is_contiguous((M,K,L):(1,M,bs))" => "true if bs == M*K or L <= 1",
        "is_composable((M,K):(1,ld), 128)" => "true if ld == M or M >= 128",
        "is_composable((6,N):(1,7), 4:2)" => "false",
        "inverse((M,K):(K,1))" => "(K,M):(M,1)",
        "inverse((M,K):(1,ld))" => "M*K:1 if ld == M",
        "inverse((M,4):(1,0))" => "error: no-inverse: no layout is this inverse: the indices 0 and 645120 have the same offset, at M = 645120",
        "common_layout((M,K):(1,ld), M*K:1)" => "M:1",
        "assume M % 64 == 0; common_vector((M,K):(1,ld), ((64,M/64),K):((1,64*K),64))" => "64",
        "common_vector((64,K):(1,ld), (M,8):(1,M))" => "64 if M >= 8",
        "fits((M,K):(1@0,1@1), 31)" => "error: codomain: offsets of symbolic layouts is not defined for coordinate strides",
        "is_vector((M,K):(1,ld), M)" => "error: kind: argument 2 of is_vector is a symbolic number where an integer is wanted",
        "fits((M,K):(1,ld), 63)" => "error: argument: fits takes 62 bits or fewer, found 63";
    refusals:
        "(6,N):(1,7) o 4:2" => "error: never: 4 % 3 == 0",
        "assume ld >= M; hint M = 48; (M,K):(1,ld) o 128:1" => "error: no-layout: 128 % M == 0 or M >= 128 is needed",
        "sort((M,K):(ld,1))" => "error: kind: sort takes numbers only; found a symbolic layout; give its names values first, as in L[M = 4096, K = 512]",
        "(M,K):(1,ld) + 1" => "error: kind: `+` takes numbers, strides and coordinates; found a symbolic layout; a stride that is a sum is written 4:(2@0+3@1)",
        "assume ld >= M, M > ld" => "error: fact: the fact contradicts earlier facts";
    pieces:
        "assume ld >= M; cases (M,K):(1,ld) o 128:1"
            => "128:1 if ld == M or M >= 128 else (M,floor(128/M)):(1,ld) if 128 % M == 0",
        "cases (M,K):(1,M) o 4:1" => "4:1";
    conditions:
        "(M,K):(1,ld); 128:1 if ld == M or M >= 128" => "128:1 if ld == M or M >= 128",
        "(M,K):(1,ld); (128:1 if M >= 128 or ld == M) at M = 100" => "error: syntax: expected `,` or `)` at character 22, found `i`",
        "(M,K):(1,ld); 128:1 if M >= 128 or ld == M at M = 100, ld = 128" => "error: guard: M >= 128 or ld == M fails at M = 100, ld = 128",
        "let A = (M,K):(1,ld); assume M % 8 == 0; 128:1 if M % 4 == 0" => "128:1",
        "128:1 if ld == M or M >= 128" => "128:1 if M == ld or M >= 128",
        "128:1 if M >= 128 else M:1 if N >= 4" => "128:1 if M >= 128 else M:1 if N >= 4",
        "K*ld" => "error: name: there is no function or variable `K`; `let K = 128;` before names a value, `assume K >= 1;` one that is known only at launch; from_formula(K*ld, K < 8, ld < 8) is the layout of a formula",
        "let A = (M,K):(1,ld); 4:1 if M >= 4 else M:1 if M <= 3" => "4:1 if M >= 4 else M:1 if M <= 3",
        "let L = (M,K):(1,ld); let T = 128:1 if M >= 128; size(T o 4:2)" => "4 if M >= 128",
        "assume M % 128 == 0; assume M % 128 == 0, ld >= M" => "assume M % 128 == 0, ld >= M";
    tilers:
        "assume bM >= 1; tiled_divide((M,K):(1,ld), <bM,_>)" => "((bM,1),ceil(M/bM),K):((1,0),bM,ld)",
        "assume bM >= 1; zipped_divide((M,K):(1,ld), (bM,32))"
            => "((bM,32),(ceil(M/bM),ceil(K/32))):((1,ld),(bM,32*ld))",
        "(M,K):(1,ld) o <128,_>" => "(128,K):(1,ld)";
}

/// `_0` is CuTe's static integer, also beside a `?`, and `?0` is the same unknown in all statements.
/// A word that the notation reads as a stride is one among names too, and is no name.
#[test]
fn elements_are_strides_among_names() {
    for (strides, printed) in
        [("e0,e1", "1@0,1@1"), ("e0,2*e12", "1@0,2@12"), ("ld*e1,2e0", "ld@1,2@0"), ("f0,M", "0,M")]
    {
        assert_eq!(answer(&format!("(M,4):({strides})")), format!("(M,4):({printed})"));
        if !printed.contains(['M', 'l']) {
            assert_eq!(answer(&format!("(2,4):({strides})")), format!("(2,4):({printed})"));
        }
    }
    for text in ["(M,f5):(1,M)", "(e1,4):(1,M)", "(M,4):(f1,f5)", "assume e1 >= M"] {
        assert!(answer(text).starts_with("error"), "{text}");
    }
}

#[test]
fn unnamed_numbers_are_no_integers() {
    let mut session = Session::new();
    let mut text = |text: &str| match session.evaluate(text) {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(text("(?,?):(?,1)"), "(?0,?1):(?2,1)");
    assert_eq!(text("(4,4):(_0,_1)"), "(4,4):(0,1)");
    assert_eq!(text("(?,8):(_2,1)"), "(?3,8):(2,1)");
    assert_eq!(text("is_injective((?0,?1):(?2,1))"), "true if ?2 >= ?1 or ?0 <= 1");
    assert_eq!(text("?2*8 + 3*?0 - floor(?1/8)"), "3*?0 + 8*?2 - floor(?1/8)");
    assert_eq!(text("shape((?0,?1):(?2,1))"), "(?0,?1)");
    assert_eq!(text("assume ?0 % 8 == 0, ?2 >= ?1; (?0,?1):(?2,1) / 8"), "(8,(?0/8,?1)):(?2,(8*?2,1))");
    assert_eq!(text("hint ?1 = 64; let A = (?0,?1):(?2,1); A at ?0 = 8, ?1 = 4, ?2 = 4"), "(8,4):(4,1)");
    assert_eq!(text("A[?0 = 16]"), "(16,?1):(?2,1)");
    assert_eq!(text("A at ?0 = 9"), "error: guard: ?0 % 8 == 0 fails at ?0 = 9");
    assert_eq!(
        text("size(?7)"),
        "error: name: `?7` is not declared; a name is declared by a literal, (M,K):(1,ld), or by a fact, assume M >= 1"
    );
    assert_eq!(text("(?7,4):(1,?)"), "(?7,4):(1,?8)");
    assert!(text("(4,?:1").starts_with("error: syntax: "));
    let error = Session::new().evaluate("(?,?{div=0}):(1,?)").unwrap_err();
    assert_eq!(error.span.start, 11, "{error}");
}

/// What is printed reads back as itself, a `?` is never one that was there before, even after the session has forgotten it,
/// and the number that CuTe prints is a number.
#[test]
fn unnamed_numbers_read_back() {
    let mut session = Session::new();
    let operations = ["L", "L / 8", "coalesce(L)", "shape(L)", "is_injective(L)", "{3} o L", "size(L) + 1"];
    let literals =
        ["(?,?):(?,1)", "(?{div=8},4):(1,?)", "((?,2),?):((1,?),_3)", "?:?", "(16,?{i64 div=16}):(?,1)"];
    let (mut seen, mut most) = (std::collections::BTreeSet::new(), 0);
    for round in 0..40 {
        let literal = literals[round % literals.len()];
        let layout = session.evaluate(&format!("let L = {literal}")).unwrap().to_string();
        let numbers = |text: &str| -> Vec<u64> {
            let parts = text.split('?').skip(1);
            parts
                .map(|part| part.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap())
                .collect()
        };
        for number in numbers(&layout) {
            assert!(seen.insert(number), "{literal}: {layout}");
            most = most.max(number);
        }
        assert_eq!(
            session.evaluate(&format!("(4,4):(_{most},_0)")).unwrap().to_string(),
            format!("(4,4):({most},0)")
        );
        for operation in operations {
            let Ok(value) = session.evaluate(operation).cloned() else { continue };
            let printed = value.to_string();
            assert_eq!(session.evaluate(&printed), Ok(&value), "{literal}: {operation}: {printed}");
            assert_eq!(session.evaluate(&format!("let C = {printed}")), Ok(&value), "{printed}");
        }
    }
    assert_eq!(seen.len() as u64, most + 1);
}

/// `?` in the notation of the CuTe DSL, except where a condition has the name.
#[test]
fn the_dialect_of_cute_names_what_conditions_name() {
    let cute = |text: &str| {
        let mut session = Session::new();
        let value = session.evaluate(text).unwrap().clone();
        session.in_cute(&value).unwrap()
    };
    assert_eq!(cute("(?,?{div=8}):(?,1)"), "(?,?{div=8}):(?,1)");
    assert_eq!(cute("(?,K):(1,?) / 128"), "(128,(?0/128,?)):(1,(128,?)) if ?0 % 128 == 0");
    assert_eq!(cute("is_injective((?,?):(?,1))"), "true if ?2 >= ?1 or ?0 <= 1");
}

/// A name that an operation overlooks is taken for the number that stands for it.
#[test]
fn a_name_is_seen_wherever_it_stands() {
    let places = [
        "(ld,4):(1,2)",
        "(4,4):(ld,1)",
        "(4,4):((1@0+ld@1),1@0)",
        "(4,4):(1@0,(1@0+2@1+ld@2))",
        "{ld} o (4,4):(1,5)",
        "Sw<1,0,3> o {16*ld} o (4,4):(1,4)",
    ];
    for place in places {
        for form in ["coalesce(L)", "group<0,2>(L)", "let M = L; M", "<L,L>"] {
            let text = form.replace('L', &format!("({place})"));
            match Session::new().evaluate(&text) {
                Ok(value) => assert!(value.to_string().contains("ld"), "{text}: {value}"),
                Err(error) => assert!(place.starts_with(['{', 'S']), "{text}: {error}"),
            }
        }
    }
}

#[test]
fn source_text() {
    let text =
        |text: &str| Session::new().evaluate(text).map(|value| (value.to_string(), value.in_full())).unwrap();
    let (expression, function) = text("assume ld >= M; emit (M,K):(1,ld) as c");
    assert_eq!(expression, "(x % M) + (x / M)*ld");
    assert!(
        function.starts_with("// (M,K):(1,ld) where ld >= M\nstatic inline uint64_t offset("),
        "{function}"
    );
    let (expression, checked) = text("emit (M,K):(1,ld) / 128 as python");
    assert_eq!(expression, "(x % M) + (x // M)*ld if M % 128 == 0");
    assert!(checked.starts_with("# on the host: assert M % 128 == 0\n"), "{checked}");
    let (expression, checked) = text("emit M:2 as wgsl");
    assert_eq!(expression, "x*2u if M <= 1073741824");
    assert!(checked.starts_with("// on the host: assert(M <= 1073741824);\n"), "{checked}");
    // A name of the session is none of the coordinate.
    assert_eq!(text("emit (x,K):(1,ld) as c").0, "(x1 % x) + (x1 / x)*ld");
    assert_eq!(text("(x,x1):(1,2); emit (M,x1):(1,ld) as rust").0, "(x2 % M) + (x2 / M)*ld");
    assert_eq!(text("emit (?,K):(1,?) as python").0, "(x % _0) + (x // _0)*_1");
    assert_eq!(text("emit (4,8):(8,1) as rust").0, "(x & 3)*8 + (x >> 2)");
    // The coordinates that a kernel has.
    assert_eq!(text("let L = (4,8):(8,1); emit L(i, j) as cuda").0, "i*8 + j");
    assert_eq!(text("emit ({7} o (4,8):(8,1))(i, j) as c").0, "i*8 + j + 7");
    assert_eq!(text("let L = (4,8):(8,1); emit {7} o L(i, j) as c").0, "i*8 + j + 7");
    assert_eq!(text("let L = (4,8):(8,1); emit L(2, _) as c").0, "x + 16");
    // A fixed coordinate leaves a function of the others: at each of them the offset of the whole.
    assert_eq!(text("let L = (4,8):(8,1); emit L(i, 3) as cuda").0, "i*8 + 3");
    assert_eq!(text("let L = (M,K):(1,ld); emit L(3, j) as c").0, "j*ld + 3");
    assert_eq!(text("emit {7} o ((4,8):(8,1))(2, j) as c").0, "j + 23");
    assert_eq!(text("let L = (2,4,8):(32,8,1); emit L(i, 3, j) as python").0, "i*32 + j + 24");
    let (of_lane, function) = text("emit atom(SM80_16x8x16_F32F16F16F32_TN).a(lane, 5) as wgsl");
    assert_eq!(of_lane, "(lane & 3u)*32u + (lane >> 2u) + 144u");
    assert!(function.contains("fn offset(lane: u32) -> u32 {"), "{function}");
    assert_eq!(
        text("emit (M,K):(1,ld)(row, column) as wgsl").0,
        "row + column*ld if K*ld + M <= ld + 2147483648 and ld <= 2147483647"
    );
    let (lanes, function) = text("emit atom(SM80_16x8x16_F32F16F16F32_TN).c(lane, value) as rust");
    assert_eq!(lanes, "(lane & 3)*32 + (lane >> 2) + (value & 1)*16 + (value >> 1)*8");
    assert!(function.contains("pub fn offset(lane: u32, value: u32) -> u32 {"), "{function}");
    assert!(text("emit (4,8):(8,1) as rust 64").1.contains("(x: u64) -> u64"));
    // The functions of all components take the same integers.
    for (language, wide) in
        [("rust", "i: u64, j: u64"), ("c", "uint64_t i, uint64_t j"), ("cuda", "uint64_t i, uint64_t j")]
    {
        let functions = text(&format!("emit (4,4):((ld@0+1@1),1@0)(i, j) as {language}")).1;
        assert_eq!(functions.matches(wide).count(), 2, "{functions}");
    }
    assert!(text("emit (Sw<2,0,3> o 0 o (8,8):(8,1))(i, j) as cuda 32").1.contains("uint32_t i, uint32_t j"));
    let explained = |text: &str| Session::new().explain(text).unwrap().to_string();
    let size = explained("emit ((4,8):(8,1))(i, j) as cuda");
    assert!(size.contains("2 operations") && size.contains("products: 1, sums and differences: 1"), "{size}");
    assert!(!size.contains("What is known"), "{size}");
    let size = explained("emit (M,K):(1,ld) as python");
    assert!(size.contains("4 operations") && size.contains("divisions and remainders: 2"), "{size}");
    let refused = |text: &str| Session::new().evaluate(text).unwrap_err().to_string();
    assert_eq!(
        refused("emit (4,8):(8,1) as rust 16"),
        "argument: source text takes integers of 32 or 64 bits, and of 32 in WGSL, found 16"
    );
    assert!(refused("emit (4,8):(8,1) as wgsl 64").ends_with("found 64"));
    assert_eq!(
        refused("let L = (4,8):(8,1); emit L(i, j, k) as c"),
        "rank: the names of a coordinate takes rank 2 here, found rank 3"
    );
    assert_eq!(refused("let L = (4,8):(8,1); emit L(i, i) as c"), "fact: a coordinate has two equal names");
    assert_eq!(
        refused("emit coalesce(L) as c").split(';').next(),
        Some("name: there is no function or variable `L`")
    );
    let error = Session::new().evaluate("emit (4,8):(8,1) as fortran").unwrap_err().to_string();
    assert_eq!(error, "name: there is no language `fortran`; languages are c, cuda, rust, python, wgsl");
}

#[test]
fn what_a_failed_statement_declared_is_forgotten() {
    let mut session = Session::new();
    assert!(session.evaluate("(M,K):(1,ld) o nothing").is_err());
    assert_eq!(session.evaluate("M + 1").unwrap_err().code, "name");
    session.evaluate("let A = (M,K):(1,ld)").unwrap();
    assert_eq!(session.evaluate("M + 1").unwrap().to_string(), "M + 1");
    assert!(session.evaluate("assume M % 8 == 0, M == 9").is_err());
    assert_eq!(session.evaluate("A / 8").unwrap().to_string(), "(8,(M/8,K)):(1,(8,ld)) if M % 8 == 0");
}

/// Operations on small layouts with names, each at values: where the guard holds, the answer is that of the numbers.
#[test]
fn instances_are_the_static_answers() {
    let lefts = ["(M,K):(1,ld)", "(M,(4,K)):(1,(M,4*M))", "(8,M):(M,1)", "(M,K,2):(K,1,M*K)", "M:3"];
    let rights = ["4:1", "4:3", "(2,4):(4,1)", "8:M", "(M,2):(1,M)", "<2,_>"];
    let operations = [
        "A o B",
        "A / B",
        "A * B",
        "zipped_divide(A, B)",
        "tiled_product(A, B)",
        "complement(A, 64*M)",
        "coalesce(A)",
    ];
    let (mut right, mut refused, mut unread) = (0, 0, 0);
    for left in lefts {
        for tile in rights {
            for operation in operations {
                let mut session = Session::new();
                session
                    .evaluate(&format!("let A = {left}; let B = {tile}; assume M >= 1, K >= 1, ld >= M"))
                    .unwrap();
                let Ok(value) = session.evaluate(operation).cloned() else { continue };
                let printed = value.to_string();
                match session.evaluate(&printed) {
                    Ok(read) => assert_eq!(read, &value, "{left} {tile}: {printed}"),
                    // A divisor that the guard alone makes positive is not read.
                    Err(error) => {
                        assert!(error.code == "fact" && printed.contains(">= 1"), "{error}: {printed}");
                        unread += 1;
                        continue;
                    }
                }
                session.evaluate(&format!("let R = {printed}")).unwrap();
                for (m, k, pad) in
                    [(1, 1, 0), (2, 3, 1), (4, 2, 0), (8, 4, 8), (6, 4, 2), (16, 3, 0), (7, 5, 1)]
                {
                    let at = format!("[M = {m}, K = {k}, ld = {}]", m + pad);
                    match session.evaluate(&format!("R{at}")).map(|value| value.to_string()) {
                        Ok(_) => {
                            let places = operation
                                .replace('A', &format!("A{at}"))
                                .replace('B', &format!("B{at}"))
                                .replace('M', &m.to_string());
                            let places = places.replace(&format!("[{m} ="), "[M =");
                            let same = session
                                .evaluate(&format!("equivalent(R{at}, {places})"))
                                .map(|value| value.to_string());
                            assert_eq!(
                                same.as_deref(),
                                Ok("true"),
                                "{left} {tile} {operation} {at}: {printed}"
                            );
                            right += 1;
                        }
                        Err(error) => {
                            assert_eq!(error.code, "guard", "{left} {tile} {operation} {at}: {error}");
                            refused += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(right > 300 && refused > 50 && unread == 0, "{right} right, {refused} refused, {unread} unread");
}

/// Inverses and equality of layouts of coordinates with names, at values: by evaluation, wherever the guard holds.
#[test]
fn inverses_of_coordinates_with_names() {
    let mut rng = Random::named("coordinates with names");
    let mut counts = [0; 4];
    for _ in 0..scaled(2_000, 0.1) {
        let mut modes = Vec::new();
        let mut ends = ["1", "1"].map(String::from);
        for extent in ["M", "4", "N", "2"].into_iter().take(rng.range(2, 5)) {
            let axis = rng.below(2usize);
            let gap = if rng.chance(15) { "2*" } else { "" };
            let stride = if rng.chance(5) { "0".into() } else { format!("{gap}{}@{axis}", ends[axis]) };
            ends[axis] = format!("{gap}{}*{extent}", ends[axis]);
            modes.push((extent, stride));
        }
        rng.shuffle(&mut modes);
        let join = |part: fn(&(&str, String)) -> String| modes.iter().map(part).collect::<Vec<_>>().join(",");
        let layout = format!("({}):({})", join(|mode| mode.0.into()), join(|mode| mode.1.clone()));
        let name = rng.choose(&["right_inverse", "left_inverse", "inverse", "equivalent"]);
        let [m, n] = [rng.range(1, 6), rng.range(1, 6)];
        let at = format!("M = {m}, N = {n}");
        let (mut named, mut plain) = (Session::new(), Session::new());
        named.evaluate("assume M >= 1, N >= 1").unwrap();
        let numbers = named.evaluate(&format!("{layout} at {at}")).unwrap().to_string();
        let mut ask = |text: String| plain.evaluate(&text).map(|value| value.to_string());
        if name == "equivalent" {
            let other = if rng.chance(50) { layout.replace('4', "M") } else { layout.replace("@0", "@1") };
            let other_numbers = named.evaluate(&format!("{other} at {at}")).unwrap().to_string();
            let wanted = ask(format!("equivalent({numbers}, {other_numbers})")).unwrap();
            match named.evaluate(&format!("equivalent({layout}, {other}) at {at}")) {
                Ok(found) => assert_eq!(found.to_string(), wanted, "{layout} and {other} at {at}"),
                Err(error) => {
                    assert_eq!(error.code, "undecided", "{layout} and {other}: {error}")
                }
            }
            counts[3] += usize::from(wanted == "true");
            continue;
        }
        let found = match named.evaluate(&format!("{name}({layout}) at {at}")) {
            Ok(found) => found.to_string(),
            Err(error) => {
                let refusals = ["guard", "no-inverse", "no-layout", "nested-basis"];
                assert!(refusals.contains(&error.code), "{name}({layout}) at {at}: {error}");
                continue;
            }
        };
        let size = |text: &str, ask: &mut dyn FnMut(String) -> Result<String, tilework_expr::ExprError>| {
            ask(format!("size({text})")).unwrap().parse::<usize>().unwrap()
        };
        let (own, other) = (size(&numbers, &mut ask), size(&found, &mut ask));
        if name == "left_inverse" {
            for index in 0..own {
                let there = ask(format!("({numbers})({index})")).unwrap();
                let back = ask(format!("({found})({there})")).unwrap();
                let again = ask(format!("({numbers})({back})")).unwrap();
                assert_eq!(again, there, "{name}({layout}) at {at} = {found}, index {index}");
            }
            counts[0] += 1;
        } else {
            for index in 0..other {
                let coordinate = ask(format!("idx2crd({index}, mode_sizes(shape({found})))")).unwrap();
                let back = ask(format!("({numbers})(({found})({index}))")).unwrap();
                let plain = |text: &str| {
                    let digits = text.trim_matches(['(', ')']).split(',');
                    let mut digits: Vec<String> = digits.map(String::from).collect();
                    while digits.last().is_some_and(|last| last == "0") {
                        digits.pop();
                    }
                    digits
                };
                assert_eq!(
                    plain(&back),
                    plain(&coordinate),
                    "{name}({layout}) at {at} = {found}, index {index}"
                );
            }
            assert!(name == "right_inverse" || other == own, "{name}({layout}) at {at} = {found}");
            counts[if name == "inverse" { 1 } else { 2 }] += usize::from(other > 1);
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// Slices, tiles and the shares of threads, of offsets that are numbers and coordinates, with names in the layout and the
/// coordinate: where the guard holds, the part is that of the same text with numbers.
#[test]
fn parts_are_those_of_numbers() {
    let mut rng = Random::named("parts with names");
    let (mut answered, mut guarded) = (0, 0);
    for _ in 0..scaled(6_000, 0.1) {
        let layout = rng.choose(&[
            "(M,N):(N,1)",
            "(M,N):(1,ld)",
            "{ld} o (M,N):(1,ld)",
            "((2,M),N):((1,2*ld),2)",
            "(M,N):(1@0,1@1)",
            "(M,N):(2@1,1@0)",
            "(M,N):(1@1,(2@0+ld@1))",
            "{(ld,i)} o (M,N):(1@0,1@1)",
        ]);
        let (m, n) = (rng.range(1, 5), rng.range(1, 5));
        let threads = rng.choose(&["(2,3):(3,1)", "(2,3):(1,2)", "((2,2),3):((1,6),2)", "(2,1):(1,0)"]);
        let part = match rng.below(8) {
            0 => format!("({layout})(i,_)"),
            1 => format!("({layout})(_,j)"),
            2 => format!("local_tile({layout}, ({m},{n}), (i,j))"),
            3 => format!("local_tile({layout}, ({m},{n}), (i,_))"),
            4 => format!("local_tile({layout}, <{m},{n}>, i)"),
            5 => format!("local_tile({layout}, ({m},7,{n}), (i,2,j), (1,_,1))"),
            6 => format!("local_partition({layout}, {threads}, t)"),
            _ => format!("local_partition({layout}, (2,2,3):(2,1,4), t, (1,_,1))"),
        };
        let values = ["M", "N", "ld", "i", "j", "t"].map(|name| match name {
            "M" | "N" | "ld" => (name, rng.range(1, 12)),
            name => (name, rng.range(0, 5)),
        });
        let (mut named, mut plain) = (Session::new(), Session::new());
        named.evaluate("assume M >= 1, N >= 1, ld >= 1, i >= 0, j >= 0, t >= 0").unwrap();
        for (name, value) in values {
            plain.evaluate(&format!("let {name} = {value}")).unwrap();
        }
        let at = values.map(|(name, value)| format!("{name} = {value}")).join(", ");
        let found = match named.evaluate(&format!("{part} at {at}")) {
            Ok(found) => found.to_string(),
            Err(error) if error.code == "guard" => {
                guarded += 1;
                continue;
            }
            Err(error) => {
                // What is not known for all values may hold for these.
                assert!(matches!(error.code, "kind" | "fact" | "no-layout"), "{part} at {at}: {error}");
                continue;
            }
        };
        // A variable is no number of components.
        let wanted = match plain.evaluate(&part.replace("ld@", &format!("{}@", values[2].1))) {
            Ok(wanted) => wanted.to_string(),
            Err(error) => panic!("{part} at {at}: found {found}, and numbers are refused: {error}"),
        };
        let mut ask = |text: String| plain.evaluate(&text).unwrap().to_string();
        // Modes that are one for these values may be several for all.
        let sizes = [&found, &wanted].map(|part| ask(format!("mode_sizes(shape({part}))")));
        assert_eq!(sizes[0], sizes[1], "{part} at {at}");
        let size: usize = ask(format!("size({wanted})")).parse().unwrap();
        for index in 0..size {
            // Components of modes of extent 1 that are 0 for these values need no place.
            let [one, two] = [&found, &wanted].map(|part| {
                let mut element = ask(format!("({part})({index})"));
                element.retain(|sign| !matches!(sign, '(' | ')'));
                element.trim_end_matches(",0").to_string()
            });
            assert_eq!(one, two, "{part} at {at}, index {index}");
        }
        answered += 1;
    }
    assert!(answered > 3 * guarded / 2 && guarded > 20, "{answered} answers, {guarded} guards that fail");
}

/// Questions about layouts with names, each at values: where the guard holds, or there is none, the answer is that of the numbers.
/// Images, and the layouts with given images, at values; left inverses behind offsets, at every offset.
#[test]
fn images_and_left_inverses_behind_offsets() {
    assert_eq!(answer("image((2,2):(a,b))"), "(0,a,b,a + b)");
    assert_eq!(answer("assume a >= 1, b >= 1; from_image((0,a,b,a+b))"), "(2,2):(a,b)");
    let number = |session: &mut Session, text: &str| session.evaluate(text).unwrap().as_integer().unwrap();
    for layout in
        ["(4,2):(a,b)", "{c} o 3:a", "{2*c} o ((2,3),2):((a,1),b)", "(5,3):(b,2*a)", "{7} o (2,2,2):(a,-b,1)"]
    {
        let mut session = Session::new();
        session
            .evaluate(&format!(
                "assume a >= 1, b >= 1, c >= 1; let V = {layout}; let W = from_image(image(V))"
            ))
            .unwrap();
        let size = number(&mut session, "size(V[a = 5, b = 3, c = 2])");
        for index in 0..size {
            let [one, two] = ["V", "W"]
                .map(|name| number(&mut session, &format!("({name}[a = 5, b = 3, c = 2])({index})")));
            assert_eq!(one, two, "{layout} at {index}");
        }
    }
    for layout in [
        "{off} o 8:1",
        "{8*off} o (4,K):(1,8)",
        "{-3*off} o 4:1",
        "{2*K*off} o (K,4):(2,2*K)",
        "{5*K} o (3,K):(K,1)",
    ] {
        let mut session = Session::new();
        let text = format!("assume K >= 1, off >= 1; let V = {layout}; let G = left_inverse(V)");
        session.evaluate(&text).unwrap_or_else(|error| panic!("{layout}: {error}"));
        for index in 0..number(&mut session, "size(V[K = 3, off = 5])") {
            let offset = number(&mut session, &format!("(V[K = 3, off = 5])({index})"));
            let back = number(&mut session, &format!("(G[K = 3, off = 5])({offset})"));
            assert_eq!(back, index, "{layout} at {index}");
        }
    }
    let refused = |text: &str| Session::new().evaluate(text).map(|value| value.to_string()).unwrap_err().code;
    assert_eq!(refused("assume a >= 1; from_image((0,a,3*a))"), "not-xor-linear");
    assert_eq!(refused("image(K:1)"), "arguments");
    assert_eq!(refused("left_inverse({off} o (4,K):(1,8))"), "arguments");
    assert_eq!(refused("left_inverse(Sw<3,4,3> o 0 o (M,64):(64,1))"), "no-layout");
    assert_eq!(refused("left_inverse(Sw<3,4,3> o 8 o (M,64):(64,1))"), "kind");
}

#[test]
fn questions_have_the_static_answers() {
    let layouts = [
        "(M,K):(1,ld)",
        "(M,(4,K)):(1,(M,4*M))",
        "(8,M):(M,1)",
        "(M,K,2):(K,1,M*K)",
        "(M,K):(1,0)",
        "(M,K):(2,3)",
        "(M,K):(-1,ld)",
        "(M,4):(1,M+1)",
        "(4,M):(1,M+1)",
        "(M,4):(1,3*M+1)",
        "(M,4):(1,ld)",
    ];
    let questions = [
        "is_injective(A)",
        "is_surjective(A)",
        "is_bijective(A)",
        "is_compact(A)",
        "is_increasing(A)",
        "is_contiguous(A)",
        "is_composable(A, 4:2)",
        "is_vector(A, 2)",
        "is_vector(A, 4)",
        "fits(A, 5)",
        "inverse(A)",
        "max_vector(A, 8)",
        "common_vector(A, (M,K):(1,2*M))",
        "is_complementable(A)",
        "is_complementable(A, 64)",
        "compatible(A, (8,(4,2)))",
        "compatible(8, A)",
        "in_bounds(5, A)",
        "in_bounds((1,2), A)",
        "in_bounds((3,(1,1)), A)",
    ];
    let values = [(1, 1, 0), (2, 3, 1), (4, 2, 0), (8, 4, 8), (6, 4, 2), (16, 3, 0), (7, 5, 1), (8, 8, 0)];
    let (mut asked, mut refused, mut no) = (0, 0, 0);
    for layout in layouts {
        for question in questions {
            let mut session = Session::new();
            session.evaluate(&format!("let A = {layout}; assume M >= 1, K >= 1, ld >= M")).unwrap();
            let Ok(value) = session.evaluate(question).cloned() else { continue };
            assert_eq!(session.evaluate(&value.to_string()), Ok(&value), "{layout} {question}");
            session.evaluate(&format!("let R = {value}")).unwrap();
            for (m, k, pad) in values {
                let at = format!("[M = {m}, K = {k}, ld = {}]", m + pad);
                let placed = question.replace("(M,K):(1,2*M)", &format!("(({m},{k}):(1,{}))", 2 * m));
                let wanted = session.evaluate(&placed.replace('A', &format!("A{at}"))).cloned();
                match session.evaluate(&format!("R{at}")).cloned() {
                    Ok(found) => {
                        let wanted =
                            wanted.unwrap_or_else(|error| panic!("{layout} {question} {at}: {error}"));
                        match question.starts_with("max_vector") {
                            // The width for all values is no wider than that for these.
                            true => assert!(found.as_integer() <= wanted.as_integer(), "{layout} {at}"),
                            false if question.starts_with("inverse") => {
                                let same = session.evaluate(&format!("equivalent({found}, {wanted})"));
                                assert_eq!(
                                    same.map(ToString::to_string).as_deref(),
                                    Ok("true"),
                                    "{layout} {at}"
                                );
                            }
                            false => assert_eq!(
                                found.to_string(),
                                wanted.to_string(),
                                "{layout} {question} {at}: {value}"
                            ),
                        }
                        asked += 1;
                    }
                    Err(error) => {
                        assert_eq!(error.code, "guard", "{layout} {question} {at}: {error}");
                        refused += 1;
                    }
                }
                // The question itself is answered at all values, those where its guard fails too.
                if question.starts_with("is_") || question.contains("bounds") || question.starts_with("fits")
                {
                    let found = session.evaluate(&format!("({question}){at}")).cloned();
                    let wanted = session.evaluate(&placed.replace('A', &format!("A{at}"))).cloned();
                    assert_eq!(found, wanted, "{layout} {question} {at}");
                    no += i32::from(found.is_ok_and(|value| value.to_string() == "false"));
                }
            }
        }
    }
    assert!(asked > 300 && refused > 100 && no > 100, "{asked} asked, {refused} refused, {no} times no");
}

/// By mode, the answer is that of each mode, and its condition those of both.
#[test]
fn by_mode_each_is_answered_alone() {
    let mut session = Session::new();
    session.evaluate("assume M >= 1, K >= 1, ld >= M; (M,K):(1,ld)").unwrap();
    let mut answered = 0;
    let modes = [
        "M:1",
        "4:M",
        "(M,4):(1,M)",
        "(M,K):(1,ld)",
        "(4,M):(0,1)",
        "(4,(2,M)):(0,(0,3))",
        "(M,4):(4,1)",
        "8:2",
        "K:-1",
    ];
    for name in ["coalesce", "complement", "right_inverse", "left_inverse", "filter"] {
        for (first, second) in modes.iter().flat_map(|first| modes.map(|second| (first, second))) {
            for profile in ["<_,_>", "<*,*>"] {
                let mut ask = |text: String| {
                    session.evaluate(&text).map(ToString::to_string).map_err(|error| error.code)
                };
                let both = ask(format!("{name}(layout({first}, {second}), {profile})"));
                let alone = ask(format!("layout({name}({first}), {name}({second}))"));
                answered += usize::from(both.is_ok());
                assert_eq!(both, alone, "{name} of {first} and {second}");
            }
            let mut ask =
                |text: String| session.evaluate(&text).map(ToString::to_string).map_err(|error| error.code);
            let kept = ask(format!("{name}(layout({first}, {second}), <_>)"));
            assert_eq!(
                kept,
                ask(format!("layout({name}({first}), {second})")),
                "{name} of {first} and {second}"
            );
        }
        for text in
            ["Sw<2,0,3> o (8,8):(8,1)", "Sw<2,0,3> o (8,M):(8,1)", "{3} o (8,8):(8,1)", "{3} o (8,M):(8,1)"]
        {
            if !matches!(name, "coalesce" | "filter") {
                let error = session.evaluate(&format!("{name}({text}, <_,_>)")).unwrap_err();
                assert!(error.message.contains("by mode takes a layout alone"), "{name} of {text}: {error}");
            }
        }
    }
    assert!(answered > 200, "{answered}");
}

#[test]
fn explanations_have_the_bounds() {
    let text = |text: &str| Session::new().explain(text).unwrap().to_string();
    let ragged = text("assume ld >= M; (M,K):(1,ld) o 128:1");
    let row = "M  -M + ld  128:1       ld == M or M >= 128  open       M = 127: index 127 wraps to (0,1)\n";
    assert!(ragged.contains(row), "{ragged}");
    let proved = text("assume ld >= M, M >= 200; (M,K):(1,ld) o 128:1");
    assert!(proved.contains("M  -M + ld  128:1       holds      M >= 200"), "{proved}");
    let divided = text("(M,K):(1,ld) / 128");
    assert!(divided.contains("M % 128 == 0  M = 127"), "{divided}");
    let no = text("is_injective((M,K):(1,ld)) at M = 4, K = 2, ld = 2");
    assert!(no.contains("No, because\n  (2,0) and (0,1) have the same offset, 2\n\n= false"), "{no}");
}

/// What is asked at numbers has the answer of the same text with the numbers in place of the names, wherever that has one.
#[test]
fn at_numbers_the_answer_is_that_of_the_numbers() {
    let texts = [
        "(p,T):(128,128*p*H) o 64:1",
        "(p,T):(1,H) o 8:3",
        "(p,T):(1,p) / 4",
        "coalesce((p,T):(H,H*p) o (4,2):(1,8))",
        "complement((p,T):(1,H), 64*T)",
        "size((p,T):(1,H) o (p*T):1)",
        "fits((p,T):(T*H,1), 8)",
        "{H} o ((p,T):(128,128*p*H) o 64:1)",
    ];
    let (mut answers, mut session) = (0, Session::new());
    for text in texts {
        for p in [1, 2, 4, 6, 16, 64] {
            for t in [1, 3, 4, 100] {
                for h in [1, 2, 8, 12, 100] {
                    let plain = text
                        .replace('p', &p.to_string())
                        .replace('T', &t.to_string())
                        .replace('H', &h.to_string());
                    let plain = plain.replace(&format!("com{p}lement"), "complement");
                    let Ok(expected) = Session::new().evaluate(&plain).cloned() else { continue };
                    let asked = format!("{text} at p={p}, T={t}, H={h}");
                    let found =
                        session.evaluate(&asked).unwrap_or_else(|error| panic!("{asked}: {error}")).clone();
                    let question = format!("equivalent({expected}, {found})");
                    let same = found == expected
                        || Session::new().evaluate(&question).is_ok_and(|same| same.to_string() == "true");
                    assert!(same, "{asked}: {found}, not {expected}");
                    answers += 1;
                }
            }
        }
    }
    assert!(answers > 300, "{answers}");
    // Facts hold for numbers too.
    let refused =
        Session::new().evaluate("assume p % 32 == 0; (p,T):(128,128*p*H) o 64:1 at p=16,H=8,T=100").map(drop);
    assert!(refused.is_err_and(|error| error.message.contains("p % 32 == 0")));
    let fits = "fits((B,S,H,D):(S*H*D,H*D,D,1),31) at B=32,S=131072,H=32,D=128";
    assert_eq!(Session::new().evaluate(fits).map(|value| value.to_string()), Ok("false".into()));
}

/// A printed answer with a condition is a value without what it is the answer to.
#[test]
fn answers_with_a_condition_are_values() {
    let ask =
        |text: &str| Session::new().evaluate(text).map(ToString::to_string).map_err(|error| error.message);
    for question in [
        "(M,K):(1,ld) o 128:1",
        "size((M,K):(1,ld) o 128:1)",
        "is_injective((M,K):(1,ld))",
        "is_vector((M,K):(1,ld), 8)",
    ] {
        let printed = ask(question).unwrap();
        assert!(printed.contains(" if "), "{printed}");
        for values in ["M = 256, K = 4, ld = 256", "M = 128, K = 8, ld = 136"] {
            let own: Vec<&str> = values
                .split(", ")
                .filter(|value| printed.contains(value.split(' ').next().unwrap()))
                .collect();
            assert_eq!(
                ask(&format!("{printed} at {}", own.join(", "))),
                ask(&format!("{question} at {values}")),
                "{printed}"
            );
        }
        let again = ask(&printed).unwrap();
        assert_eq!(ask(&ask(&again).unwrap()), Ok(again));
    }
}
